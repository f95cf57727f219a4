// The live page of a tournament. The server sends the sections that changed; each is drawn again as a whole.

const page = JSON.parse(byId("site-data").textContent);
const sections = {};
const RETRY = 2000; // milliseconds until the next try after the server refused
const BAR = 260; // width of an interval bar
const EDGE = 8;

const place = (id) => document.querySelector(`#${id} .filled`);
const link = (href, ...children) => (href ? make("a", { href }, ...children) : make("span", {}, ...children));
const gameLink = (key, ...children) => link(key && `game/${encodeURIComponent(key)}`, ...children);
const note = (text) => make("p", { class: "soft" }, text);

/** A table; the heads of columns whose cells are text are in `texts`. */
function table(heads, rows, texts = []) {
  const cells = (row) => row.map((cell, i) => cell instanceof HTMLTableCellElement ? cell : make(i ? "td" : "th", i ? { "data-label": heads[i] } : { scope: "row" }, cell));
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col", class: texts.includes(text) ? "text" : "" }, text)));
  const body = rows.map((row) => make("tr", {}, ...cells(row)));
  return make("div", { class: "scroll" }, make("table", { class: "stacked" }, make("thead", {}, head), make("tbody", {}, ...body)));
}

// -- progress

function duration(seconds) {
  if (seconds < 90) return `${Math.max(Math.round(seconds), 1)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}

function showProgress({ text, games, left, seconds, goes_on: goesOn, faults, verdict }) {
  const parts = [make("b", {}, text), plural(games, "game"), plural(faults, "fault")];
  if (goesOn && seconds) parts.push(`about ${duration(seconds)} left`);
  if (verdict) parts.push(verdict);
  byId("status").replaceChildren(...parts.map((part) => make("span", {}, part)));
  const share = left === null ? null : games / Math.max(games + left, 1);
  byId("progress").hidden = share === null;
  byId("progress").setAttribute("aria-valuenow", Math.round(100 * (share ?? 0)));
  byId("progress").firstElementChild.style.width = `${100 * (share ?? 0)}%`;
}

// -- standings

/** A scale that shows all ratings; intervals may leave it. */
function scaleOf(bots) {
  const rated = bots.filter((bot) => bot.rating !== null);
  const values = rated.flatMap((bot) => [bot.rating, Math.max(bot.low ?? bot.rating, bot.rating - 400), Math.min(bot.high ?? bot.rating, bot.rating + 400)]);
  const low = Math.min(...values) - 10;
  const high = Math.max(...values) + 10;
  return (value) => EDGE + ((BAR - 2 * EDGE) * (value - low)) / (high - low);
}

function bar(bot, at, zero) {
  const label = bot.low === null ? `${Math.round(bot.rating)}, no interval yet` : `${Math.round(bot.rating)}, from ${Math.round(bot.low)} to ${Math.round(bot.high)}`;
  const inside = (value) => Math.min(Math.max(at(value), EDGE), BAR - EDGE).toFixed(1);
  const parts = [draw("path", { class: "zero", d: `M${inside(zero)} 0V22` })];
  if (bot.low !== null) parts.push(draw("path", { class: "reach", d: `M${inside(bot.low)} 11H${inside(bot.high)}` }));
  parts.push(draw("circle", { class: "dot", cx: inside(bot.rating), cy: 11, r: 4.5 }));
  return draw("svg", { class: "bar", viewBox: `0 0 ${BAR} 22`, role: "img", "aria-label": label }, ...parts);
}

function showStandings({ bots, anchor_at: zero }) {
  if (!bots.some((bot) => bot.games)) return place("standings").replaceChildren(note("No block is finished yet."));
  const at = scaleOf(bots);
  const rows = bots.map((bot, i) => {
    const marks = [bot.out && make("span", { class: "chip fault", title: bot.out }, "disqualified"), bot.retired && make("span", { class: "chip" }, "retired")];
    const name = make("th", { scope: "row" }, make("span", { class: "place" }, `${i + 1}.`), " ", link(bot.page, bot.bot), ...marks.filter(Boolean));
    if (bot.rating === null) return [name, "–", make("td", { class: "wide" }, "no games"), "0", "–", "0"];
    const spread = bot.low === null ? "" : ` ±${Math.round((bot.high - bot.low) / 2)}`;
    const rating = make("td", { class: "strong", "data-label": "rating" }, String(Math.round(bot.rating)), make("span", { class: "soft" }, spread));
    return [name, rating, make("td", { class: "wide" }, bar(bot, at, zero)), String(bot.games), `${((100 * bot.first) / bot.games).toFixed(1)} %`, String(bot.faults)];
  });
  place("standings").replaceChildren(table(["bot", "rating", "95 % interval", "games", "first", "faults"], rows, ["95 % interval"]));
}

// -- games and faults

function showRunning(games) {
  if (!games.length) {
    const goesOn = sections.progress?.goes_on;
    return place("running").replaceChildren(note(goesOn ? "No recorded game is running on this machine now." : "No game is running."));
  }
  const items = games.map((game) => {
    const quiet = game.quiet >= 60 ? [make("span", { class: "soft" }, ` no decision for ${duration(game.quiet)}`)] : [];
    return make("li", {}, gameLink(game.key, make("b", {}, game.game), " ", game.names.join(", ")), ...quiet);
  });
  place("running").replaceChildren(make("ul", { class: "running" }, ...items));
}

function showResults({ games, has_tables: severalTables }) {
  if (!games.length) return place("results").replaceChildren(note("No game is finished yet."));
  const rows = games.map((game) => {
    const seats = game.seats.flatMap(([bot, rank, total]) => [make("span", {}, `${rank}. ${bot} `, make("b", {}, String(total))), " "]);
    const tables = severalTables ? [make("td", { class: "text", "data-label": "table" }, game.table)] : [];
    return [gameLink(game.key, game.game), make("td", { class: "text seats" }, ...(game.void ? ["void"] : seats)), ...tables];
  });
  const heads = ["game", "places and prestige", ...(severalTables ? ["table"] : [])];
  place("results").replaceChildren(table(heads, rows, heads));
}

function showFaults(faults) {
  if (!faults.length) return place("faults").replaceChildren(note("No bot was at fault."));
  const items = faults.map((fault) => make("li", {}, link(fault.key && `game/${encodeURIComponent(fault.key)}#${fault.decision}`, fault.game), ` ${fault.bot}: ${fault.fault}`, ...(fault.out ? [make("span", { class: "chip fault" }, "disqualified")] : [])));
  place("faults").replaceChildren(make("ul", { class: "plain" }, ...items), make("p", {}, make("a", { href: "faults.html" }, "All faults")));
}

const SHOW = { progress: showProgress, standings: showStandings, running: showRunning, results: showResults, faults: showFaults };

function take(changed) {
  Object.assign(sections, changed);
  for (const [name, show] of Object.entries(SHOW)) if (name in changed) show(changed[name]);
  if ("progress" in changed && sections.running) showRunning(sections.running);
}

// -- the connection; the browser reconnects by itself, and says which event was the last

let after = page.after;

function connect() {
  const source = new EventSource(`${page.events}?after=${encodeURIComponent(after)}`);
  const show = (state) => (document.body.dataset.connection = state);
  source.addEventListener("open", () => show("open"));
  source.addEventListener("tournament", (event) => {
    after = event.lastEventId;
    take(JSON.parse(event.data));
  });
  source.addEventListener("error", () => {
    show("lost");
    if (source.readyState === EventSource.CLOSED) setTimeout(connect, RETRY);
  });
}

byId("theme").addEventListener("click", toggleTheme);
take(page.sections);
connect();
