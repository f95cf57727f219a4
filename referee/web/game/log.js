// The log: every turn with its steps, every step with its sentences.

const log = byId("log");
const entries = []; // by step; an entry is made when it is needed
const sections = []; // each with its first and last step
const TURNS_AT_ONCE = 20; // made whenever the browser is idle

/** One section of the log: the set-up, or a turn. Its steps are made when they are needed. */
function addSection(from, to, head, seat) {
  const steps = make("ol", { class: "steps" });
  sections.push({ from, to, seat, steps, made: false });
  return make("section", { class: "turn" }, head, steps);
}

function turnHead({ step, turn, seat }) {
  const mistake = mistakeInTurn.get(turn);
  const sign = mistake ? [make("span", { class: "mistake", title: lossText(mistake) }, `mistake −${mistake.loss[0]} %`)] : [];
  return make("button", { type: "button", tabindex: "-1", class: "turn-head", "data-step": step }, make("span", { class: "turn-number" }, `Turn ${turn}`), nameOf(seat), ...sign);
}

let openTurn = 0; // the index of the last turn, which may still get steps

/** Each step is in the section of the turn in which it was decided. */
function addSections() {
  const list = document.createDocumentFragment();
  if (!sections.length) list.append(addSection(0, 0, make("div", { class: "turn-head still" }, "Set-up"), -1));
  for (; openTurn < turns.length; openTurn++) {
    const turn = turns[openTurn];
    const isLast = openTurn + 1 === turns.length;
    const to = isLast ? last : turns[openTurn + 1].step;
    const newest = sections.at(-1);
    if (newest.from === turn.step + 1) extendSection(newest, to);
    else if (to > turn.step) list.append(addSection(turn.step + 1, to, turnHead(turn), turn.seat));
    if (isLast) break;
  }
  log.append(list);
}

/** Add steps to a section; if its entries were made, theirs are made, too. */
function extendSection(section, to) {
  const from = section.to + 1;
  section.to = to;
  if (section.made) fillSteps(section, from);
}

function linesOf(step, known) {
  return sentencesAt(step).map((sentence) => make("span", { class: `line-${toneOf(sentence)}` }, ...sentenceNodes(sentence, known)));
}

function entryOf(step, known) {
  entries[step] = make("button", { type: "button", tabindex: "-1", class: "entry", "data-step": step }, ...linesOf(step, known));
  return make("li", {}, entries[step]);
}

function fill(section) {
  if (section.made) return;
  section.made = true;
  fillSteps(section, section.from);
}

function fillSteps(section, from) {
  const items = [];
  for (let step = from; step <= section.to; step++) items.push(entryOf(step, section.seat));
  section.steps.append(...items);
}

/** The index of the section of a step. */
function sectionAt(step) {
  let low = 0;
  let high = sections.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sections[middle].from <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Make the entries of the section of a step, and of the sections near it. */
function fillAround(step) {
  const at = sectionAt(step);
  for (const near of sections.slice(Math.max(at - 6, 0), at + 7)) fill(near);
}

const whenIdle = window.requestIdleCallback || ((act) => setTimeout(act, 30));

/** Make the rest of the log in small pieces, so that it can be scrolled and searched. */
function fillRest(from = 0) {
  for (const section of sections.slice(from, from + TURNS_AT_ONCE)) fill(section);
  if (from + TURNS_AT_ONCE < sections.length) whenIdle(() => fillRest(from + TURNS_AT_ONCE));
  else {
    log.dataset.made = "all";
    if (current) scrollToEntry(current);
  }
}

let current = null;

function markEntry(step) {
  fillAround(step);
  const entry = entries[step];
  const moveFocus = current !== null && document.activeElement === current;
  if (current) {
    current.removeAttribute("aria-current");
    current.tabIndex = -1;
  }
  entry.setAttribute("aria-current", "step");
  entry.tabIndex = 0;
  current = entry;
  if (moveFocus) entry.focus({ preventScroll: true });
  // Several steps may come in one frame. The height of turns that are not visible is only estimated at first,
  // so scroll again in the next frame.
  requestAnimationFrame(() => {
    if (current !== entry) return;
    scrollToEntry(entry);
    requestAnimationFrame(() => current === entry && scrollToEntry(entry));
  });
}

function scrollToEntry(entry) {
  if (!log.clientHeight) return;
  const box = entry.getBoundingClientRect();
  const frame = log.getBoundingClientRect();
  const margin = Math.min(frame.height / 4, 80);
  if (box.top < frame.top + margin) log.scrollTop += box.top - frame.top - margin;
  else if (box.bottom > frame.bottom - margin) log.scrollTop += box.bottom - frame.bottom + margin;
}

addSections();
onGrowth((changed) => {
  addSections();
  for (const step of changed) entries[step]?.replaceChildren(...linesOf(step, sections[sectionAt(step)].seat));
  if (log.dataset.made === "all") for (const section of sections) fill(section);
});
