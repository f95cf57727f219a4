// The desks of all seats, the prestige track and the table of scores.

const GAINS = { track: "prestige track", abilities: "full abilities", markers: "bonus markers", special: "special prestige", cities: "controlled cities", network: "network × keys", missions: "missions" };
const SHORT = { track: "track", abilities: "desk", markers: "marker", special: "special", cities: "cities", network: "net", missions: "mission" };

const picture = (id, className) => draw("svg", { class: className, viewBox: "0 0 24 24", "aria-hidden": "true" }, draw("use", { href: id }));

/** How many tradesmen of one kind there are, after a small sign for the kind. */
function countOf(seat, part, kind) {
  const number = make("span");
  const sign = make("i", { class: `bit ${kind} ${tintOf(seat)}`, "aria-hidden": "true" });
  const element = make("span", { class: "count" }, sign, number);
  onChange(cellOf(part, 2 * seat + (kind === "merchant" ? 1 : 0)), (value) => {
    number.textContent = value;
    element.title = plural(value, kind);
    element.setAttribute("data-count", value);
    element.classList.toggle("none", !value);
  });
  return element;
}

function holding(seat, part) {
  const label = make("span", { class: "label" }, part);
  return make("span", { class: "holding", "data-part": part }, label, countOf(seat, part, "trader"), countOf(seat, part, "merchant"));
}

function abilityOf(seat, ability) {
  const name = words.abilities[ability];
  const values = game.values[ability];
  const worth = make("b", { class: "ability-worth" });
  const pips = values.map(() => make("i", { class: "pip", "aria-hidden": "true" }));
  const element = make("div", { class: "ability", "data-ability": name }, picture(`#ht-${name}`, "ability-sign"), worth, make("span", { class: "pips" }, ...pips));
  onChange(cellOf("desk", 5 * seat + ability), (steps) => {
    element.dataset.steps = steps;
    pips.forEach((pip, i) => pip.classList.toggle("on", i <= steps));
    element.classList.toggle("full", steps === values.length - 1);
    element.title = `${name}: ${values[steps]} (${plural(steps, "step")} of ${values.length - 1} developed)`;
    if (name === "privilege") {
      worth.className = `ability-worth privilege ${values[steps]}`;
      worth.textContent = values[steps];
    } else worth.textContent = values[steps];
  });
  return element;
}

function markerBit(marker, used) {
  const title = words.marker_names[marker] + (used ? " (used)" : "");
  const svg = draw("svg", { class: used ? "bit-marker used" : "bit-marker", viewBox: "-18 -18 36 36", role: "img", "aria-label": title, "data-marker": marker });
  svg.append(...markerNodes(marker), draw("title", {}, title));
  return svg;
}

function belongings(seat) {
  const piles = make("span", { class: "piles" });
  const rest = make("span", { class: "rest" });
  let cells = null;
  const paint = () => {
    const markers = cells[cellOf("markers", seat)];
    const used = cells[cellOf("used", seat)];
    piles.dataset.markers = markers.join(" ");
    piles.dataset.used = used.join(" ");
    piles.replaceChildren(...markers.map((m) => markerBit(m, false)), ...used.map((m) => markerBit(m, true)));
    rest.replaceChildren(...extras(seat, cells));
  };
  const update = (_, all) => {
    cells = all;
    paint();
  };
  for (const part of ["markers", "used", "plates", "favours", "missions", "out"]) onChange(cellOf(part, seat), update);
  onChange(cellOf("east_west"), update);
  return [piles, rest];
}

function extras(seat, cells) {
  const found = [];
  const chip = (text, title, kind = "") => found.push(make("span", { class: `chip ${kind}`, title }, text));
  const plate = cells[cellOf("plates", seat)];
  if (plate) chip(`plate ${plate}`, `${plural(plate, "bonus marker")} to be placed`);
  const chain = cells[cellOf("east_west")].indexOf(seat);
  if (chain >= 0) chip("chain", `connected both ends of the board (number ${chain + 1} to do so)`);
  words.favours.forEach((name, tile) => {
    if ((cells[cellOf("favours", seat)] >> tile) & 1) chip(name, "Emperor's favour");
  });
  const mission = cells[cellOf("missions", seat)];
  if (mission.length) chip(mission.map((city) => map.cities[city]).join(" · "), "mission", "mission");
  if (cells[cellOf("out", seat)]) chip("disqualified", "the referee chooses for this seat", "fault");
  return found;
}

function deskOf(seat) {
  const prestige = make("b", { class: "desk-prestige", title: "prestige" });
  const total = make("span", { class: "desk-total" });
  const title = make("h3", { title: game.versions[seat] || game.names[seat] }, make("i", { class: `seal-dot ${tintOf(seat)}`, "aria-hidden": "true" }, signOf(seat)), make("span", { class: "who-name" }, names[seat]), prestige, total);
  onChange(cellOf("prestige", seat), (value) => (prestige.textContent = value));
  onChange(cellOfStanding(seat, "total"), (value) => {
    total.textContent = `→ ${value}`;
    total.title = `${value} if the game ended now`;
  });
  const abilities = words.abilities.map((_, ability) => abilityOf(seat, ability));
  const desk = make("article", { class: `desk ${tintOf(seat)}`, "data-seat": seat, "aria-label": names[seat] }, title, make("div", { class: "abilities" }, ...abilities), make("div", { class: "holdings" }, holding(seat, "supply"), holding(seat, "stock")), make("div", { class: "belongings" }, ...belongings(seat)));
  onChange(cellOfNow("active"), (active) => desk.classList.toggle("active", active === seat));
  return desk;
}

byId("desks").append(...game.names.map((_, seat) => deskOf(seat)));

// -- scores

function scoreTrack() {
  const end = Math.max(game.track_end, ...graphs.prestige.flat());
  const track = make("ol", { class: "track", "aria-hidden": "true" });
  const cells = [];
  const cellAt = (value) => {
    while (cells.length <= value) {
      const number = make("span", { class: "track-number" }, String(cells.length));
      cells.push(track.appendChild(make("li", { "data-value": cells.length }, number)));
    }
    return cells[value];
  };
  cellAt(end);
  const pawns = graphs.prestige.map((_, colour) => make("i", { class: `pawn ${tintOf(colour)}`, "data-colour": colour, title: names[Math.min(colour, seats)] }, signOf(colour)));
  pawns.forEach((pawn, colour) => onChange(cellOf("prestige", colour), (value) => cellAt(Math.max(value, 0)).append(pawn)));
  return track;
}

/** Whether a part of the score is hidden from the viewer until the end. */
function isHidden(seat, part, cells) {
  if (part === "rank") return !cells[cellOfStanding(seat, part)];
  return part === "missions" && hidesSecrets && seat !== game.viewer_seat && !cells[cellOfNow("over")];
}

function scoreTable() {
  const shown = words.standing.slice(2).filter((part) => part !== "missions" || game.first[cellOf("missions")].length || hidesSecrets);
  const head = make("tr", {}, make("th", { scope: "col" }, "If it ended now"), make("th", { scope: "col", title: "place" }, "#"), make("th", { scope: "col" }, "total"), ...shown.map((part) => make("th", { scope: "col", title: GAINS[part] || `majority of ${part}` }, SHORT[part] || part)));
  const rows = game.names.map((_, seat) => {
    const cell = (part, className = "") => {
      const td = make("td", { class: className, "data-part": part });
      const paint = (_, cells) => {
        const value = cells[cellOfStanding(seat, part)];
        td.textContent = isHidden(seat, part, cells) ? "?" : value;
        td.classList.toggle("none", !value);
      };
      onChange(cellOfStanding(seat, part), paint);
      if (hidesSecrets) onChange(cellOfNow("over"), paint);
      return td;
    };
    const row = make("tr", { "data-seat": seat }, make("th", { scope: "row" }, nameOf(seat)), cell("rank"), cell("total", "total"), ...shown.map((part) => cell(part)));
    onChange(cellOfStanding(seat, "rank"), (rank) => row.classList.toggle("leads", rank === 1));
    return row;
  });
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
}

function facts(className, ...rows) {
  const list = make("dl", { class: className });
  for (const [label, cell, format] of rows) {
    const value = make("dd");
    list.append(make("dt", {}, label), value);
    onChange(cell, (now) => (value.textContent = format(now)));
  }
  return list;
}

const listed = (found) => found.join(", ") || "none";
const tilesOf = (bits) => listed(words.favours.filter((_, tile) => (bits >> tile) & 1));
const permitsOf = (left) => listed([...map.permits.filter((_, i) => left[i]), ...(left[map.permits.length] ? ["bought"] : [])]);
const common = [
  ["Completed cities", cellOfNow("completed"), (count) => `${count} of ${map.limit}`],
  ["Markers to draw", cellOfNow("drawable"), String],
];
if (game.colours > seats) common.push(["Neutral prestige", cellOf("prestige", seats), String]);
const rare = [["Markers out of the game", cellOf("markers_out"), (out) => listed(out.map((marker) => words.marker_names[marker]))]];
if (game.first[cellOfNow("display")]) rare.push(["Favours on display", cellOfNow("display"), tilesOf]);
if (map.permits.length) rare.push(["Permits left this turn", cellOf("permits"), permitsOf]);

byId("desks").append(facts("bank", ...common));
byId("scores").append(make("h2", {}, "Prestige track"), scoreTrack(), scoreTable(), facts("facts", ...common, ...rare));
