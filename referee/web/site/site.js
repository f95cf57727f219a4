// The long lists, which show as much as one looks at; and light or dark. Text is only ever text.

const NOTHING = { bots: [], pages: [], tables: [], games: [], faults: [] }; // on a page without lists
const data = JSON.parse(document.getElementById("site-data").textContent) ?? NOTHING;
const AT_ONCE = 100;
const KEPT = "referee-theme";

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

function keptTheme() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null; // a page without storage follows the system
  }
}

function toggleTheme() {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try {
    localStorage.setItem(KEPT, root.dataset.theme);
  } catch {
    // It is chosen anew on the next page.
  }
}

if (["light", "dark"].includes(keptTheme())) root.dataset.theme = keptTheme();
document.getElementById("theme").addEventListener("click", toggleTheme);

// -- cells

/** Who sat at a game, the first of it first. */
function seated(seats) {
  const order = seats.map((seat, number) => [number, ...seat]).sort((a, b) => a[2] - b[2] || a[0] - b[0]);
  return order.map(([number, bot, rank, total, faults, out]) => {
    const title = `seat ${number + 1}` + (faults ? `, faults: ${faults}` : "") + (out ? ", disqualified" : "");
    return make("span", { title, class: faults ? "at-fault" : "" }, `${rank}. `, botLink(bot), " ", make("b", {}, String(total)));
  });
}

/** What a bot sent and what it said, folded. */
function outputs(sent, said) {
  const parts = [["sent", sent], ["said on stderr", said]].filter(([, text]) => text);
  return parts.map(([name, text]) => make("details", {}, make("summary", {}, name), make("pre", {}, text)));
}

// A list: its columns (title, value to sort by or null, cell, class), and what each filter wants of a row.
const [GAME, HREF, TABLE] = [0, 1, 2];
const [FINISHED, SEATS, TURNS, DECISIONS, REASON, SECONDS, FAULTS, VOID] = [3, 4, 5, 6, 7, 8, 9, 10];
const [BOT, SEAT, DECISION, KIND, MESSAGE, STRIKES, OUT, SENT, SAID] = [3, 4, 5, 6, 7, 8, 9, 10, 11];
const field = (title, at, look = "") => ({ title, value: (row) => row[at], cell: (row) => [String(row[at])], look });
const tableColumn = { title: "table", value: (row) => tableName(row[TABLE]), cell: (row) => [tableName(row[TABLE])], look: "text" };
const distinct = (values) => [...new Set(values)].sort();

const LISTS = {
  games: {
    columns: [
      { title: "game", value: (row) => row[GAME], cell: (row) => [link(row[HREF], row[GAME])], look: "text" },
      ...(severalTables() ? [tableColumn] : []),
      { title: "places and prestige", value: null, cell: (row) => [...seated(row[SEATS]), ...(row[VOID] === null ? [] : [`void: ${row[VOID]}`])], look: "text seated" },
      field("turns", TURNS),
      field("decisions", DECISIONS),
      field("ended by", REASON, "text"),
      field("seconds", SECONDS),
      field("faults", FAULTS),
      { title: "finished", value: (row) => row[FINISHED], cell: (row) => [row[FINISHED].replace("T", " ").replace("+00:00", "")] },
    ],
    filters: {
      bot: { choices: () => distinct(data.games.flatMap((row) => row[SEATS].map(([bot]) => botName(bot)))), fits: (row, name) => row[SEATS].some(([bot]) => botName(bot) === name) },
      table: { choices: () => data.tables, fits: (row, name) => tableName(row[TABLE]) === name },
      faults: { choices: () => ["some", "none"], fits: (row, which) => (row[FAULTS] > 0) === (which === "some") },
    },
  },
  faults: {
    columns: [
      { title: "bot", value: (row) => botName(row[BOT]), cell: (row) => [botLink(row[BOT])], look: "text" },
      { title: "game", value: (row) => row[GAME], cell: (row) => [link(row[HREF], `${row[GAME]}, decision ${row[DECISION]}`)], look: "text" },
      ...(severalTables() ? [tableColumn] : []),
      { title: "seat", value: (row) => row[SEAT], cell: (row) => [String(row[SEAT] + 1)] },
      field("fault", KIND, "text"),
      { title: "message", value: null, cell: (row) => [row[MESSAGE], ...outputs(row[SENT], row[SAID])], look: "text long" },
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

function compared(a, b) {
  return typeof a === "number" ? a - b : a < b ? -1 : a > b ? 1 : 0;
}

/** The filters that the address names: games.html#bot=NAME. */
const asked = new URLSearchParams(location.hash.slice(1));

function showList(place, name) {
  const { columns, filters } = LISTS[name];
  const all = data[name];
  const chosen = {};
  let rows = all;
  let most = AT_ONCE;
  let sorted = { column: null, down: true }; // by default the newest come first

  const body = make("tbody");
  const count = make("output", { class: "soft", "aria-live": "polite" });
  const more = make("button", { type: "button", class: "more" });

  function select() {
    rows = all.filter((row) => Object.entries(chosen).every(([key, value]) => filters[key].fits(row, value)));
    if (sorted.column) {
      const { value } = sorted.column;
      rows.sort((a, b) => compared(value(a), value(b)) * (sorted.down ? -1 : 1));
    }
    most = AT_ONCE;
    body.replaceChildren();
    fill();
  }

  function fill() {
    for (const row of rows.slice(body.rows.length, most)) body.append(make("tr", {}, ...columns.map((column) => make("td", { class: column.look ?? "" }, ...column.cell(row)))));
    count.textContent = rows.length === all.length ? `${all.length} in all` : `${rows.length} of ${all.length}`;
    more.hidden = most >= rows.length;
    more.textContent = `${rows.length - most} more`;
  }

  function filterOf(key) {
    const options = filters[key].choices();
    if (options.length < 2) return [];
    const choice = make("select", { "data-filter": key }, make("option", { value: "" }, "all"));
    // The place in the list is the value: a name may be anything.
    options.forEach((option, number) => choice.append(make("option", { value: String(number) }, option)));
    const take = () => {
      if (choice.value === "") delete chosen[key];
      else chosen[key] = options[Number(choice.value)];
    };
    if (options.includes(asked.get(key))) choice.value = String(options.indexOf(asked.get(key)));
    take();
    choice.addEventListener("change", () => {
      take();
      select();
    });
    return [make("label", {}, key, choice)];
  }

  function headOf(column) {
    const look = column.look ?? "";
    if (!column.value) return make("th", { scope: "col", class: look }, column.title);
    const button = make("button", { type: "button" }, column.title);
    const head = make("th", { scope: "col", class: look }, button);
    button.addEventListener("click", () => {
      sorted = { column, down: sorted.column === column ? !sorted.down : true };
      for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
      select();
    });
    return head;
  }

  more.addEventListener("click", () => {
    most += AT_ONCE;
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
