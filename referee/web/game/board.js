// The board: tradesmen, trading posts and markers on top of the drawing.

const MAN = 37;
const POST = 29;
const STEP_ASIDE = 28; // from one additional post to the next
const GREEN_STEP = 30;
const MARKER = 17; // half a bonus marker
const calm = matchMedia("(prefers-reduced-motion: reduce)");
byId("men").setAttribute("viewBox", drawing.box);
// Screen readers read the summary of the board; the help has the position as text.
const men = byId("men").appendChild(draw("g", { "aria-hidden": "true" }));
const halos = men.appendChild(draw("g", { class: "halos" }));
const halo = new Map(); // by cell: the place to highlight when it changes
let animates = false; // after one step forward, what changed is animated

const at = ([x, y]) => `translate(${x} ${y})`;

/** Draw the place of a tradesman once; return a function that changes which one stands there. */
function manIn(group, size) {
  const half = size / 2;
  const body = draw("use", { x: -half, y: -half, width: size, height: size });
  const sign = draw("text", { class: "man-sign", y: size * 0.16, "font-size": size * 0.52 });
  const title = draw("title");
  const inner = draw("g", { class: "hop" }, body, sign);
  group.append(inner, title);
  return (man) => {
    group.dataset.man = man;
    group.setAttribute("class", man ? `man ${tintOf(colourOf(man))}` : "man gone");
    if (!man) return;
    body.setAttribute("href", `#man-${kindOf(man)}`);
    sign.textContent = signOf(colourOf(man));
    title.textContent = manText(man);
    hop(inner);
  };
}

function hop(element) {
  if (!animates || calm.matches) return;
  element.animate({ transform: ["scale(1.8)", "scale(1)"] }, { duration: 320, easing: "ease-out" });
}

function manAt(part, i, place, size) {
  const group = men.appendChild(draw("g", { [`data-${part}`]: i, transform: at(place) }));
  const cell = cellOf(part, i);
  halo.set(cell, { place, round: 23 });
  onChange(cell, manIn(group, size));
}

function markerNodes(marker) {
  const side = 2 * MARKER;
  const box = { x: -MARKER, y: -MARKER, width: side, height: side };
  const picture = { href: `#bm-${words.markers[marker]}`, x: -11, y: -11, width: 22, height: 22 };
  const shade = draw("rect", { ...box, y: 2 - MARKER, rx: 7, class: "tile-shade" });
  return [shade, draw("rect", { ...box, rx: 7, class: "tile" }), draw("use", { ...picture, class: "tile-sign" })];
}

function markerAt(route, place) {
  const group = men.appendChild(draw("g", { class: "bonus", "data-route": route, transform: at(place) }));
  const cell = cellOf("route_markers", route);
  halo.set(cell, { place, round: 25 });
  onChange(cell, (marker) => {
    group.dataset.marker = marker;
    if (marker < 0) return group.replaceChildren();
    const inner = draw("g", { class: "hop" }, ...markerNodes(marker));
    group.replaceChildren(inner, draw("title", {}, words.marker_names[marker]));
    hop(inner);
  });
}

/** A row of trading posts that grows to one side. */
function rowAt(part, city, place, step, first) {
  const group = men.appendChild(draw("g", { [`data-${part}`]: city }));
  const cell = cellOf(part, city);
  halo.set(cell, { place: [place[0] + first, place[1]], round: 19 });
  onChange(cell, (row) => {
    group.dataset.row = row.join(" ");
    group.replaceChildren(...row.map((man, i) => {
      const post = draw("g", { transform: at([place[0] + first + i * step, place[1]]) });
      manIn(post, POST)(man);
      if (part === "additional") post.prepend(draw("rect", { class: "aside", x: -15, y: -16, width: 30, height: 32, rx: 5 }));
      return post;
    }));
  });
}

function specialAt(i, place) {
  const group = men.appendChild(draw("g", { "data-special": i, transform: at(place) }));
  const cell = cellOf("special", i);
  halo.set(cell, { place, round: 23 });
  const set = manIn(group, 36);
  onChange(cell, (seat) => set(seat < 0 ? 0 : 2 * seat + 3));
}

function laidMarkers() {
  const group = men.appendChild(draw("g", { class: "laid" }));
  onChange(cellOf("laid"), (laid) => {
    group.replaceChildren();
    for (let i = 0; i < laid.length; i += 3) {
      const [marker, route, seat] = laid.slice(i, i + 3);
      const [x, y] = drawing.markers[route];
      const title = draw("title", {}, `${names[seat]}'s ${words.marker_names[marker]}`);
      const ring = draw("rect", { x: -20, y: -20, width: 40, height: 40, rx: 9, class: "owner" });
      const offset = at([x + 8, y + 8 + 10 * (i / 3)]);
      group.append(draw("g", { class: `bonus ${tintOf(seat)}`, transform: offset }, ring, ...markerNodes(marker), title));
    }
  });
}

function completedCities() {
  const ring = men.appendChild(draw("circle", { class: "completed", r: 16 }));
  onChange(cellOfNow("completed"), (count) => {
    const place = drawing.track[Math.min(count, drawing.track.length) - 1];
    ring.setAttribute("visibility", place ? "visible" : "hidden");
    if (place) ring.setAttribute("transform", at(place));
  });
}

drawing.points.forEach((place, i) => manAt("points", i, place, MAN));
drawing.spaces.forEach((place, i) => manAt("posts", i, place, POST));
drawing.additional.forEach((place, city) => rowAt("additional", city, place, -STEP_ASIDE, -15));
drawing.green.forEach((place, city) => rowAt("green", city, place, GREEN_STEP, 0));
drawing.special.forEach((place, i) => specialAt(i, place));
completedCities();
drawing.markers.forEach((place, route) => markerAt(route, place));
laidMarkers();

const changedCells = (delta) => delta.filter((_, i) => i % 2 === 0);

/** Draw rings around the places of these cells, in the colour of a seat. */
function showHalos(changed, seat) {
  const found = [...new Set(changed)].flatMap((cell) => halo.get(cell) ?? []);
  const rings = found.map(({ round, place }) => draw("circle", { r: round, transform: at(place) }));
  halos.setAttribute("class", `halos ${seat >= 0 ? tintOf(seat) : ""}`);
  halos.replaceChildren(...rings);
  if (rings.length && document.body.classList.contains("zoomed")) centre(rings[0]);
}

function centre(ring) {
  const table = byId("table");
  const box = ring.getBoundingClientRect();
  const frame = table.getBoundingClientRect();
  table.scrollBy(box.x - frame.x - frame.width / 2, box.y - frame.y - frame.height / 2);
}

/** The position as text, for those who cannot see the board. */
function positionText(cells) {
  const routes = [];
  let point = 0;
  map.points.forEach((count, route) => {
    const here = cells.slice(cellOf("points", point), cellOf("points", point + count));
    point += count;
    const texts = here.filter(Boolean).map(manText);
    const marker = cells[cellOf("route_markers", route)];
    if (marker >= 0) texts.push(`the marker “${words.marker_names[marker]}”`);
    if (texts.length) routes.push(`${map.routes[route]}: ${texts.join(", ")}`);
  });
  const cities = [];
  let space = 0;
  map.spaces.forEach((count, city) => {
    const posts = cells.slice(cellOf("posts", space), cellOf("posts", space + count));
    space += count;
    const more = [...cells[cellOf("additional", city)], ...cells[cellOf("green", city)]];
    const texts = [...posts, ...more].filter(Boolean).map(manText);
    if (texts.length) cities.push(`${map.cities[city]}: ${texts.join(", ")}`);
  });
  return { routes, cities };
}

function boardSummary(cells) {
  const part = (name) => cells.slice(cellOf(name), cellOf(name) + places[name][1]);
  const standing = part("points").filter(Boolean).length;
  const posts = [...part("posts"), ...part("additional").flat(), ...part("green").flat()].filter(Boolean).length;
  return `Board: ${plural(standing, "tradesman").replace("tradesmans", "tradesmen")} on routes, ${plural(posts, "trading post")}. The help has the position as text.`;
}
