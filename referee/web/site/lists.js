// The lists of games and faults, which show some rows at a time. Filters and order are in the address.
// All text is inserted as text, never as markup.

const NO_DATA = { bots: [], pages: [], tables: [], games: [], faults: [] }; // on a page without lists
const data = JSON.parse(byId("site-data").textContent) ?? NO_DATA;
const ROWS_AT_ONCE = 100;

const link = (href, text) => (href ? make("a", { href }, text) : text);
const botName = (bot) => data.bots[bot] ?? "unknown";
const botLink = (bot) => link(data.pages[bot], botName(bot));
const tableName = (table) => data.tables[table] ?? "unknown";
const severalTables = () => data.tables.length > 1;

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
const [FINISHED, SEATS, TURNS, DECISIONS, REASON, SECONDS, FAULTS, VOID, RECORD] = [3, 4, 5, 6, 7, 8, 9, 10, 11];
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
      field("ended by", REASON, "text short"),
      field("seconds", SECONDS),
      field("faults", FAULTS),
      { title: "record", value: null, cell: (row) => (row[RECORD] ? [make("a", { href: row[RECORD], download: "" }, "download")] : ["–"]), className: "" },
      { title: "finished (UTC)", value: (row) => row[FINISHED], cell: (row) => [row[FINISHED].replace("T", " ").replace("+00:00", "")] },
    ],
    filters: {
      bot: { choices: () => distinct(data.games.flatMap((row) => row[SEATS].map(([bot]) => botName(bot)))), fits: (row, name) => row[SEATS].some(([bot]) => botName(bot) === name) },
      table: { choices: () => data.tables, fits: (row, name) => tableName(row[TABLE]) === name },
      replay: { choices: () => distinct(data.games.map((row) => (row[HREF] ? "yes" : "no"))), fits: (row, which) => Boolean(row[HREF]) === (which === "yes") },
      faults: { choices: () => ["some", "none"], fits: (row, which) => (row[FAULTS] > 0) === (which === "some") },
    },
  },
  faults: {
    columns: [
      { title: "bot", value: (row) => botName(row[BOT]), cell: (row) => [botLink(row[BOT])], className: "text" },
      { title: "game", value: (row) => row[GAME], cell: (row) => [link(row[HREF], `${row[GAME]}, decision ${row[DECISION]}`)], className: "text" },
      ...(severalTables() ? [tableColumn] : []),
      { title: "seat", value: (row) => row[SEAT], cell: (row) => [String(row[SEAT])] },
      field("fault", KIND, "text short"),
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

// -- the filters and the order in the address, as in games.html#bot=NAME&sort=turns

const places = [...document.querySelectorAll("[data-list]")];
const inAddress = () => new URLSearchParams(location.hash.slice(1));

/** The keys of a list in the address; on a page with several lists, its name comes before them. */
const addressKey = (name, key) => (places.length > 1 ? `${name}.${key}` : key);

function storeInAddress(name, values) {
  const all = inAddress();
  for (const [key, value] of Object.entries(values)) {
    if (value) all.set(addressKey(name, key), value);
    else all.delete(addressKey(name, key));
  }
  setAddress(all.toString());
}

// -- a list on the page

function showList(place, name) {
  const { columns, filters } = LISTS[name];
  const all = data[name];
  const choices = Object.fromEntries(Object.entries(filters).map(([key, filter]) => [key, filter.choices()]));
  const selects = {};
  const heads = new Map(); // the heading of each column that can be sorted
  let rows = all;
  let limit = ROWS_AT_ONCE;
  let order = { column: null, down: true }; // without a column, the newest come first

  const body = make("tbody");
  const count = make("output", { class: "soft", "aria-live": "polite" });
  const more = make("button", { type: "button", class: "more" });
  const reset = make("button", { type: "button" }, "Show all");

  /** The choice of each filter, without those that let all rows pass. */
  function chosen() {
    const found = Object.entries(selects).filter(([, select]) => select.value !== "");
    return Object.fromEntries(found.map(([key, select]) => [key, choices[key][Number(select.value)]]));
  }

  function update() {
    const wanted = chosen();
    rows = all.filter((row) => Object.entries(wanted).every(([key, value]) => filters[key].fits(row, value)));
    if (order.column) rows.sort((a, b) => compare(order.column.value(a), order.column.value(b), order.down));
    reset.hidden = !Object.keys(wanted).length;
    limit = ROWS_AT_ONCE;
    body.replaceChildren();
    fill();
  }

  function cellsOf(row) {
    return columns.map((column) => make("td", { class: column.className ?? "", "data-label": column.title }, ...column.cell(row)));
  }

  function fill() {
    for (const row of rows.slice(body.rows.length, limit)) body.append(make("tr", {}, ...cellsOf(row)));
    count.textContent = rows.length === all.length ? `${all.length} ${name}` : `${rows.length} of ${all.length} ${name}`;
    more.hidden = limit >= rows.length;
    more.textContent = `Show ${Math.min(rows.length - limit, ROWS_AT_ONCE)} more`;
  }

  function sortBy(column, down) {
    order = { column, down };
    markSorted(headRow, column && heads.get(column), down);
  }

  function readAddress() {
    const address = inAddress();
    for (const [key, select] of Object.entries(selects)) {
      const at = choices[key].indexOf(address.get(addressKey(name, key)));
      select.value = at < 0 ? "" : String(at);
    }
    const column = [...heads.keys()].find(({ title }) => title === address.get(addressKey(name, "sort"))) ?? null;
    sortBy(column, address.get(addressKey(name, "order")) !== "up");
    update();
  }

  function changed() {
    const all = Object.fromEntries(Object.keys(selects).map((key) => [key, null]));
    storeInAddress(name, { ...all, ...chosen(), sort: order.column?.title, order: order.column && (order.down ? "down" : "up") });
    update();
  }

  function filterOf(key) {
    if (choices[key].length < 2) return [];
    const select = make("select", { "data-filter": key }, make("option", { value: "" }, "all"));
    // The value of an option is its index, because a name may be any text.
    choices[key].forEach((option, number) => select.append(make("option", { value: String(number) }, option)));
    select.addEventListener("change", changed);
    selects[key] = select;
    return [make("label", {}, key, select)];
  }

  function headOf(column) {
    const head = make("th", { scope: "col", class: column.className ?? "" }, column.title);
    if (!column.value) return head;
    heads.set(column, head);
    sortButton(head, () => all.length > 0 && typeof column.value(all[0]) === "number", (down) => {
      sortBy(column, down);
      changed();
    });
    return head;
  }

  more.addEventListener("click", () => {
    limit += ROWS_AT_ONCE;
    fill();
  });
  reset.addEventListener("click", () => {
    for (const select of Object.values(selects)) select.value = "";
    changed();
  });
  addEventListener("hashchange", readAddress);
  const headRow = make("tr", {}, ...columns.map(headOf));
  const controls = make("div", { class: "filters" }, ...Object.keys(filters).flatMap(filterOf), reset, count);
  const table = make("table", { class: "list stacked" }, make("thead", {}, headRow), body);
  place.replaceChildren(controls, make("div", { class: "scroll" }, table), more);
  readAddress();
}

for (const place of places) {
  if (data[place.dataset.list].length) showList(place, place.dataset.list);
  else place.replaceChildren();
}
document.body.dataset.ready = "yes";
