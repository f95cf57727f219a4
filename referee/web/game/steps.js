// The game so far: the cells of every step, sentences, and small helpers. The script knows no rules.

// The pages of a site load what belongs to the board from a file that they share.
const game = { ...globalThis.refereeBoard, ...JSON.parse(byId("game").textContent) };
const { words, places, drawing, map } = game;
const deltas = []; // by step
const decisions = Object.fromEntries(Object.keys(game.decisions).map((field) => [field, []]));
const sentences = [];
const stepSentences = []; // by step, indexes in `sentences`
let faults = []; // the steps that show a fault
let last = -1;
const seats = game.names.length;
const hidesSecrets = game.viewer_seat !== null || game.public;
const names = [...game.names, "neutral"];
const BETWEEN = 64; // steps from one kept position to the next

/** The index of the i-th cell of a part. */
const cellOf = (part, i = 0) => places[part][0] + i;
const cellOfNow = (field) => cellOf("now", words.now.indexOf(field));
const partWidth = words.standing.length;
const cellOfStanding = (seat, field) =>
  cellOf("standings", seat * partWidth + words.standing.indexOf(field));

function applyDelta(cells, delta) {
  for (let i = 0; i < delta.length; i += 2) cells[delta[i]] = delta[i + 1];
}

const keptCells = []; // of every BETWEEN-th step
/** The values of the graphs, by colour and step. */
const graphs = { prestige: [], totals: [] };
for (let colour = 0; colour < game.colours; colour++) graphs.prestige.push([]);
for (let seat = 0; seat < seats; seat++) graphs.totals.push([]);
const turns = []; // the first step of every turn
const newestCells = game.first.slice();
const listeners = []; // called after steps were added

/** Call a function whenever steps are added; it gets the steps before them whose sentences changed. */
function onGrowth(act) {
  listeners.push(act);
}

/**
 * Add steps after the last one: those of a recorded game all at once, those of a running game as they come.
 * `revised` replaces the sentences of steps that are known already, such as remarks that are public after the end.
 */
function addSteps({ revised = {}, ...added }) {
  sentences.push(...added.sentences);
  stepSentences.push(...added.step_sentences);
  for (const [step, numbers] of Object.entries(revised)) stepSentences[step] = numbers;
  for (const [field, values] of Object.entries(added.decisions)) decisions[field].push(...values);
  faults = added.faults;
  added.deltas.forEach(addStep);
  const changed = Object.keys(revised).map(Number);
  for (const act of listeners) act(changed);
}

function addStep(delta) {
  const step = deltas.push(delta) - 1;
  const before = step ? newestCells[cellOfNow("turn")] : -1;
  applyDelta(newestCells, delta);
  const turn = newestCells[cellOfNow("turn")];
  if (step % BETWEEN === 0) keptCells.push(newestCells.slice());
  if (turn !== before) turns.push({ step, turn, seat: newestCells[cellOfNow("active")] });
  graphs.prestige.forEach((line, colour) => line.push(newestCells[cellOf("prestige", colour)]));
  graphs.totals.forEach((line, seat) => line.push(newestCells[cellOfStanding(seat, "total")]));
  last = step;
}

addSteps(game);

/** All cells of a step. */
function cellsAt(step) {
  const from = Math.floor(step / BETWEEN);
  const cells = keptCells[from].slice();
  for (let next = from * BETWEEN + 1; next <= step; next++) applyDelta(cells, deltas[next]);
  return cells;
}

/** The index of the last turn that has begun at a step. */
function turnAt(step) {
  let low = 0;
  let high = turns.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (turns[middle].step <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

// The functions that show a cell; they are called when its value changes.
const painters = new Map();
const painted = [];

function onChange(cell, paint) {
  if (!painters.has(cell)) painters.set(cell, []);
  painters.get(cell).push(paint);
}

function paintAll(cells) {
  for (const [cell, paints] of painters) {
    if (painted[cell] === cells[cell]) continue;
    painted[cell] = cells[cell];
    for (const paint of paints) paint(cells[cell], cells);
  }
}

const colourOf = (man) => (man >> 1) - 1;
const kindOf = (man) => (man & 1 ? "merchant" : "trader");
const isNeutral = (colour) => colour >= seats;
const manText = (man) => `${names[Math.min(colourOf(man), seats)]}'s ${kindOf(man)}`;
const signOf = (colour) => (isNeutral(colour) ? "" : String(colour));
const tintOf = (colour) => (isNeutral(colour) ? "cn" : `c${colour}`);

/** The name of a seat in its colour. */
function nameOf(colour) {
  return make("span", { class: `who ${tintOf(colour)}` }, names[Math.min(colour, seats)]);
}

const SEAT = 0;
const TONE = 1;

/** A sentence as nodes, without the name of the acting seat if that is `known`. */
function sentenceNodes(sentence, known = -1) {
  const nodes = [];
  if (sentence[SEAT] >= 0 && sentence[SEAT] !== known) nodes.push(nameOf(sentence[SEAT]), " ");
  if (toneOf(sentence) === "say") return [...nodes, `“${sentence[2]}”`];
  for (const part of sentence.slice(2)) nodes.push(typeof part === "number" ? nameOf(part) : part);
  return nodes;
}

const toneOf = (sentence) => words.tones[sentence[TONE]];
const textOf = (nodes) => nodes.map((node) => (typeof node === "string" ? node : node.textContent)).join("");
const sentencesAt = (step) => stepSentences[step].map((number) => sentences[number]);
