// The analysis of the game, if there is one: chances, mistakes, and better turns. The referee made all of it.

const { analysis } = game;
const mistakes = analysis?.mistakes ?? [];
const mistakeInTurn = new Map(mistakes.map((mistake) => [mistake.turn, mistake]));
let better = null; // the mistake whose better turn is shown in place of the game
let betterAt = 0; // how many of its choices are shown

const lossText = ({ loss: [loss, low, high] }) => `loses ${loss} % (${low} to ${high} %)`;
/** The mistake whose turn a step is in, or begins. */
const mistakeAt = (step) => mistakeInTurn.get(turns[turnAt(step)].turn);

// -- the graph

/** The chances of a seat by step; null where they are not known. */
function chancesOf(seat) {
  const values = [];
  let point = -1;
  for (let step = 0; step <= last; step++) {
    while (analysis.steps[point + 1] <= step) point++;
    values.push(point < 0 ? null : analysis.chances[point][seat]);
  }
  return values;
}

function addChances() {
  graphs.chances = game.names.map((_, seat) => chancesOf(seat));
  document.querySelector(".chart-choice").append(make("button", { type: "button", "data-graph": "chances", "aria-pressed": "false" }, "Chances"));
}

/** The mistakes as marks on the line of their seat; `heightOf` gives the height of a value in the graph. */
function mistakeMarks(heightOf) {
  return mistakes.map((mistake) => {
    const { step, turn, seat } = mistake;
    const label = `Mistake in turn ${turn}: ${names[seat]} ${lossText(mistake)}`;
    const mark = make("button", { type: "button", tabindex: "-1", class: `mistake-mark ${tintOf(seat)}`, "data-step": step, "aria-label": label, title: label }, "?");
    mark.style.left = percent(across(step));
    mark.style.top = heightOf(graphs[graph][seat][step] ?? 0);
    return mark;
  });
}

// -- the text

function addPanel() {
  const button = (id, label, text, title) => make("button", { type: "button", id, title, ...(label && { "aria-label": label }) }, text);
  const buttons = make("div", { class: "judged-buttons" },
    button("mistake-back", "Previous mistake", "◂", "Previous mistake (W)"),
    button("mistake-forward", "", `${plural(mistakes.length, "mistake")} ▸`, "Next mistake (w)"),
    button("better", "", "Better turn", "Show the better turn on the board (a)"));
  byId("happened").after(make("section", { class: "judged", id: "judged", tabindex: "0", "aria-label": "Analysis" }, buttons, make("div", { id: "judgement" })));
  document.body.dataset.analysed = "yes";
}

function showJudgement(step) {
  if (!analysis) return;
  const mistake = mistakeAt(step);
  byId("judged").classList.toggle("is-mistake", Boolean(mistake));
  byId("better").disabled = !mistake;
  byId("better").setAttribute("aria-pressed", String(better !== null));
  byId("mistake-back").disabled = byId("mistake-forward").disabled = !mistakes.length;
  const chances = chanceText(step);
  byId("judgement").replaceChildren(...(mistake ? [mistakeText(mistake), chances] : [chances, make("p", { class: "soft" }, analysis.summary)]));
}

function chanceText(step) {
  const seatTexts = graphs.chances.map((values, seat) => make("span", { class: "chance" }, nameOf(seat), values[step] === null ? " –" : ` ${values[step]} %`));
  return make("p", { class: "chances" }, make("span", { class: "soft" }, "Chance to come first "), ...seatTexts.flatMap((text) => [text, " "]));
}

function mistakeText(mistake) {
  const what = make("b", { class: "mistake" }, `Turn ${mistake.turn} is a mistake: `);
  const said = betterNodes(mistake);
  return make("p", {}, what, nameOf(mistake.seat), ` ${lossText(mistake)}. `, ...(said.length ? [make("b", {}, "Better: "), ...said, ". "] : []), mistake.why);
}

/** The better turn in words, without what goes without saying. */
function betterNodes({ seat, better: { sentences: found } }) {
  const loud = found.flat().filter((sentence) => toneOf(sentence) !== "quiet");
  return loud.flatMap((sentence, i) => [i ? "; " : "", ...sentenceNodes(sentence, seat)]);
}

// -- the better turn on the board

/** Show the better turn of the mistake that is shown, or the game again. */
function toggleBetter() {
  if (better) return leaveBetter();
  const mistake = mistakeAt(shown);
  if (!mistake?.better.deltas.length) return;
  go(mistake.step);
  better = mistake;
  document.body.dataset.better = "yes";
  showBetter(mistake.better.deltas.length);
}

/** Show the better turn after so many of its choices. */
function showBetter(count) {
  const { deltas: changes, sentences: found } = better.better;
  betterAt = Math.min(Math.max(count, 0), changes.length);
  const cells = cellsAt(shown);
  const passed = changes.slice(0, betterAt);
  for (const change of passed) applyDelta(cells, change);
  animates = false;
  showCells(cells, passed.flatMap(changedCells), better.seat);
  const current = betterAt ? found[betterAt - 1] : [];
  showSentences(current, `Better turn, not played · choice ${betterAt} of ${changes.length}`);
  showJudgement(shown);
  say(`Better turn. ${current.map((sentence) => textOf(sentenceNodes(sentence))).join(". ")}`);
}

function leaveBetter() {
  forgetBetter();
  showStep(shown);
}

function forgetBetter() {
  better = null;
  delete document.body.dataset.better;
}

/** Go to the next or previous mistake; after the last one comes the first. */
function toMistake(by) {
  if (!mistakes.length) return;
  const next = by > 0 ? mistakes.find(({ step }) => step > shown) : mistakes.findLast(({ step }) => step < shown);
  go((next ?? mistakes.at(by > 0 ? 0 : -1)).step);
}

if (analysis) {
  addChances();
  addPanel();
}
