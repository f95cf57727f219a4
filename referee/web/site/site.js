// The lists of games and faults, which show some rows at a time, and the light or dark theme.
// All text is inserted as text, never as markup.

const NO_DATA = { bots: [], pages: [], tables: [], games: [], faults: [] }; // on a page without lists
const data = JSON.parse(document.getElementById("site-data").textContent) ?? NO_DATA;
const ROWS_AT_ONCE = 100;
const THEME_KEY = "referee-theme";

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const link = (href, text) => (href ? make("a", { href }, text) : text);
const botName = (bot) => data.bots[bot] ?? "unknown";
const botLink = (bot) => link(data.pages[bot], botName(bot));
const tableName = (table) => data.tables[table] ?? "unknown";
const severalTables = () => data.tables.length > 1;

// -- light or dark

const root = document.documentElement;

function storedTheme() {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null; // without storage, the page follows the system
  }
}

function toggleTheme() {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem(THEME_KEY, root.dataset.theme);
  } catch {
    // Without storage, the next page does not know the choice.
  }
}

if (["light", "dark"].includes(storedTheme())) root.dataset.theme = storedTheme();
document.getElementById("theme").addEventListener("click", toggleTheme);

// -- cells

/** The seats of a game with their results, best first. */
function seatResults(seats) {
  const order = seats.map((seat, number) => [number, ...seat]).sort((a, b) => a[2] - b[2] || a[0] - b[0]);
  return order.map(([number, bot, rank, total, faults, out]) => {
    const title = `seat ${number}` + (faults ? `, faults: ${faults}` : "") + (out ? ", disqualified" : "");
    return make("span", { title, class: faults ? "at-fault" : "" }, `${rank}. `, botLink(bot), " ", make("b", {}, String(total)));
  });
}

/** What a bot sent and what it wrote to stderr, as parts that can be opened. */
function outputs(sent, stderr) {
  const parts = [["what it sent", sent], ["its stderr", stderr]].filter(([, text]) => text);
  return parts.map(([name, text]) => make("details", {}, make("summary", {}, name), make("pre", {}, text)));
}

// The fields of a row, and the lists. A column has a title, the value to sort by (or null), the content of
// a cell and a CSS class. A filter has choices, and a function that says whether a row fits a choice.
const [GAME, HREF, TABLE] = [0, 1, 2];
const [FINISHED, SEATS, TURNS, DECISIONS, REASON, SECONDS, FAULTS, VOID] = [3, 4, 5, 6, 7, 8, 9, 10];
const [BOT, SEAT, DECISION, KIND, MESSAGE, STRIKES, OUT, SENT, STDERR] = [3, 4, 5, 6, 7, 8, 9, 10, 11];
const field = (title, at, className = "") => ({ title, value: (row) => row[at], cell: (row) => [String(row[at])], className });
const tableColumn = { title: "table", value: (row) => tableName(row[TABLE]), cell: (row) => [tableName(row[TABLE])], className: "text" };
const distinct = (values) => [...new Set(values)].sort();

const LISTS = {
  games: {
    columns: [
      { title: "game", value: (row) => row[GAME], cell: (row) => [link(row[HREF], row[GAME])], className: "text" },
      ...(severalTables() ? [tableColumn] : []),
      { title: "places and prestige", value: null, cell: (row) => [...seatResults(row[SEATS]), ...(row[VOID] === null ? [] : [`void: ${row[VOID]}`])], className: "text seats" },
      field("turns", TURNS),
      field("decisions", DECISIONS),
      field("ended by", REASON, "text"),
      field("seconds", SECONDS),
      field("faults", FAULTS),
      { title: "finished (UTC)", value: (row) => row[FINISHED], cell: (row) => [row[FINISHED].replace("T", " ").replace("+00:00", "")] },
    ],
    filters: {
      bot: { choices: () => distinct(data.games.flatMap((row) => row[SEATS].map(([bot]) => botName(bot)))), fits: (row, name) => row[SEATS].some(([bot]) => botName(bot) === name) },
      table: { choices: () => data.tables, fits: (row, name) => tableName(row[TABLE]) === name },
      faults: { choices: () => ["some", "none"], fits: (row, which) => (row[FAULTS] > 0) === (which === "some") },
    },
  },
  faults: {
    columns: [
      { title: "bot", value: (row) => botName(row[BOT]), cell: (row) => [botLink(row[BOT])], className: "text" },
      { title: "game", value: (row) => row[GAME], cell: (row) => [link(row[HREF], `${row[GAME]}, decision ${row[DECISION]}`)], className: "text" },
      ...(severalTables() ? [tableColumn] : []),
      { title: "seat", value: (row) => row[SEAT], cell: (row) => [String(row[SEAT])] },
      field("fault", KIND, "text"),
      { title: "message", value: null, cell: (row) => [row[MESSAGE], ...outputs(row[SENT], row[STDERR])], className: "text long" },
      field("strikes", STRIKES),
      { title: "disqualified", value: (row) => row[OUT], cell: (row) => [row[OUT] ? "yes" : "no"] },
    ],
    filters: {
      bot: { choices: () => distinct(data.faults.map((row) => botName(row[BOT]))), fits: (row, name) => botName(row[BOT]) === name },
      fault: { choices: () => distinct(data.faults.map((row) => row[KIND])), fits: (row, kind) => row[KIND] === kind },
    },
  },
};

// -- a list on the page

function compare(a, b) {
  return typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
}

/** The filters in the address, as in games.html#bot=NAME. */
const addressFilters = new URLSearchParams(location.hash.slice(1));

function showList(place, name) {
  const { columns, filters } = LISTS[name];
  const all = data[name];
  const chosen = {};
  let rows = all;
  let limit = ROWS_AT_ONCE;
  let order = { column: null, down: true }; // without a column, the newest come first

  const body = make("tbody");
  const count = make("output", { class: "soft", "aria-live": "polite" });
  const more = make("button", { type: "button", class: "more" });

  function select() {
    rows = all.filter((row) => Object.entries(chosen).every(([key, value]) => filters[key].fits(row, value)));
    if (order.column) {
      const { value } = order.column;
      rows.sort((a, b) => compare(value(a), value(b)) * (order.down ? -1 : 1));
    }
    limit = ROWS_AT_ONCE;
    body.replaceChildren();
    fill();
  }

  function fill() {
    for (const row of rows.slice(body.rows.length, limit)) body.append(make("tr", {}, ...columns.map((column) => make("td", { class: column.className ?? "" }, ...column.cell(row)))));
    count.textContent = rows.length === all.length ? `${all.length} ${name}` : `${rows.length} of ${all.length} ${name}`;
    more.hidden = limit >= rows.length;
    more.textContent = `Show ${Math.min(rows.length - limit, ROWS_AT_ONCE)} more`;
  }

  function filterOf(key) {
    const options = filters[key].choices();
    if (options.length < 2) return [];
    const choice = make("select", { "data-filter": key }, make("option", { value: "" }, "all"));
    // The value of an option is its index, because a name may be any text.
    options.forEach((option, number) => choice.append(make("option", { value: String(number) }, option)));
    const update = () => {
      if (choice.value === "") delete chosen[key];
      else chosen[key] = options[Number(choice.value)];
    };
    if (options.includes(addressFilters.get(key))) choice.value = String(options.indexOf(addressFilters.get(key)));
    update();
    choice.addEventListener("change", () => {
      update();
      select();
    });
    return [make("label", {}, key, choice)];
  }

  function headOf(column) {
    const className = column.className ?? "";
    if (!column.value) return make("th", { scope: "col", class: className }, column.title);
    const button = make("button", { type: "button" }, column.title);
    const head = make("th", { scope: "col", class: className }, button);
    button.addEventListener("click", () => {
      order = { column, down: order.column === column ? !order.down : true };
      for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      select();
    });
    return head;
  }

  more.addEventListener("click", () => {
    limit += ROWS_AT_ONCE;
    fill();
  });
  const heads = make("thead", {}, make("tr", {}, ...columns.map(headOf)));
  const controls = make("div", { class: "filters" }, ...Object.keys(filters).flatMap(filterOf), count);
  place.replaceChildren(controls, make("div", { class: "scroll" }, make("table", {}, heads, body)), more);
  select();
}

for (const place of document.querySelectorAll("[data-list]")) {
  if (data[place.dataset.list].length) showList(place, place.dataset.list);
  else place.replaceChildren();
}
addEventListener("hashchange", () => {
  if (location.hash.includes("bot=")) location.reload();
});
document.body.dataset.ready = "yes";
