// The graph of prestige or chances over time, above the slider and on the same scale.

const WIDE = 1000;
const HIGH = 100;
const plot = byId("plot");
const cursor = make("div", { class: "cursor" });
const canvas = draw("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", "aria-hidden": "true" });
const dots = make("div", { class: "dots" });
const axis = make("div", { class: "axis", "aria-hidden": "true" });
const across = (step) => (last ? step / last : 0);
const percent = (share) => `${(100 * share).toFixed(3)}%`;
let graph = "prestige";

function niceStep(most) {
  return [1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((step) => most / step <= 4) || 2000;
}

function linePath(values, top) {
  let path = "";
  let before = null;
  values.forEach((value, step) => {
    if (value === null || (value === before && step < last)) return;
    const x = (WIDE * across(step)).toFixed(1);
    const y = (HIGH * (1 - value / top)).toFixed(1);
    path += before === null ? `M${x} ${y}` : `H${x}V${y}`;
    before = value;
  });
  return path;
}

function drawGraph() {
  const lines = graphs[graph];
  const isShare = graph === "chances";
  const most = isShare ? 100 : lines.reduce((top, line) => line.reduce((a, b) => Math.max(a, b), top), 4);
  const grain = isShare ? 50 : niceStep(most);
  const top = Math.ceil(most / grain) * grain;
  const heightOf = (value) => percent(1 - value / top);
  canvas.replaceChildren();
  axis.replaceChildren();
  for (let value = 0; value <= top; value += grain) {
    const y = HIGH * (1 - value / top);
    canvas.append(draw("path", { class: "grid", d: `M0 ${y}H${WIDE}` }));
    const label = axis.appendChild(make("span", { class: "y" }, isShare ? `${value} %` : String(value)));
    label.style.top = heightOf(value);
  }
  turnMarks();
  lines.forEach((values, colour) => canvas.append(draw("path", { class: `line ${tintOf(colour)}`, d: linePath(values, top) })));
  dots.replaceChildren(...mistakeMarks(heightOf));
}

function turnMarks() {
  const grain = niceStep(turns.length / 2);
  let free = 0; // where the next label can begin
  turns.forEach(({ step, turn }) => {
    if (turn % grain && turn !== 1) return;
    canvas.append(draw("path", { class: "grid", d: `M${WIDE * across(step)} 0V${HIGH}` }));
    if (across(step) < free) return;
    free = across(step) + (turn === 1 ? 0.17 : 0.07);
    const label = axis.appendChild(make("span", { class: turn === 1 ? "x begin" : "x" }, turn === 1 ? "turn 1" : String(turn)));
    label.style.left = percent(across(step));
  });
}

function nextGraph() {
  const known = Object.keys(graphs);
  chooseGraph(known[(known.indexOf(graph) + 1) % known.length]);
}

function chooseGraph(name) {
  graph = name;
  for (const button of document.querySelectorAll("[data-graph]")) button.setAttribute("aria-pressed", String(button.dataset.graph === name));
  drawGraph();
}

function moveCursor(step) {
  cursor.style.left = percent(across(step));
}

/** The step at the position of a pointer on the graph. */
function stepAtPointer(event) {
  const box = canvas.getBoundingClientRect();
  return Math.round(last * Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1));
}

function drawFaults() {
  byId("marks").replaceChildren(...faults.map((step) => {
    const mark = make("button", { type: "button", tabindex: "-1", class: "fault-mark", "data-step": step, "aria-label": `Fault at step ${step}` });
    mark.title = textOf(sentencesAt(step).filter((sentence) => toneOf(sentence) === "fault").flatMap((sentence) => sentenceNodes(sentence)));
    mark.style.left = percent(across(step));
    return mark;
  }));
}

plot.append(axis, canvas, cursor, dots);
