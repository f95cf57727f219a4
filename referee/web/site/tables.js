// Tables that readers can sort, and the light or dark theme.

byId("theme").addEventListener("click", toggleTheme);

/** The order of two values: numbers by size, texts by their letters, and what is missing last. */
function compare(a, b, down) {
  const missing = (a === null) - (b === null);
  if (missing || a === null) return missing;
  const order = typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true });
  return down ? -order : order;
}

/** A heading with a button that sorts; `onSort` gets whether the largest come first. */
function sortButton(head, isNumeric, onSort) {
  const button = make("button", { type: "button" }, ...head.childNodes);
  button.addEventListener("click", () => {
    const before = head.getAttribute("aria-sort");
    onSort(before ? before === "ascending" : isNumeric());
  });
  head.replaceChildren(button);
}

/** Mark the heading by which a table is sorted; null if it is in its original order. */
function markSorted(row, head, down) {
  for (const other of row.children) other.removeAttribute("aria-sort");
  head?.setAttribute("aria-sort", down ? "descending" : "ascending");
}

const NUMBER = /^[<>+]? ?-?[\d,]+(\.\d+)?/;

/** The text by which a cell is sorted; null for a dash. */
function sortText(cell) {
  const text = cell.dataset.sort ?? cell.textContent.trim();
  return text === "" || text === "–" ? null : text;
}

const asNumber = (text) => (text === null ? null : Number.parseFloat(text.replace(/[<>+, ]/g, "")));

/** The values of a column: numbers if every cell begins with one. The first column has names. */
function columnValues(table, column) {
  const texts = [...table.tBodies[0].rows].map((row) => sortText(row.cells[column]));
  const isNumeric = column > 0 && texts.every((text) => text === null || NUMBER.test(text));
  return isNumeric ? texts.map(asNumber) : texts;
}

function sortTable(table, head, column, down) {
  const values = columnValues(table, column);
  const rows = [...table.tBodies[0].rows].map((row, i) => [row, values[i]]);
  rows.sort((a, b) => compare(a[1], b[1], down));
  table.tBodies[0].append(...rows.map(([row]) => row));
  markSorted(head.parentElement, head, down);
}

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (head.querySelector("svg")) return; // the axis of a chart
    const isNumeric = () => columnValues(table, column).some((value) => typeof value === "number");
    sortButton(head, isNumeric, (down) => sortTable(table, head, column, down));
  });
}
