// The log: every turn with its steps, every step with its sentences.

const log = byId("log");
const entries = []; // by step, as soon as they are made
const sections = []; // each with its first and last step
const AT_ONCE = 20; // turns that are made at once, when the browser is idle

/** One section of the log: the set-up, or a turn. Its steps are made when they are needed. */
function addSection(from, to, head, seat) {
  const steps = make("ol", { class: "steps" });
  sections.push({ from, to, seat, steps, made: false });
  return make("section", { class: "turn" }, head, steps);
}

function turnHead({ step, turn, seat }) {
  return make("button", { type: "button", tabindex: "-1", class: "turn-head", "data-step": step }, make("span", { class: "turn-number" }, `Turn ${turn}`), nameOf(seat));
}

/** A step belongs to the turn that it was decided in; a turn begins with the position after the one before. */
function addSections() {
  const list = document.createDocumentFragment();
  list.append(addSection(0, 0, make("div", { class: "turn-head still" }, "Set-up"), -1));
  turns.forEach((turn, i) => {
    const to = i + 1 < turns.length ? turns[i + 1].step : last;
    if (to > turn.step) list.append(addSection(turn.step + 1, to, turnHead(turn), turn.seat));
  });
  log.append(list);
}

function entryOf(step, known) {
  const lines = sentencesAt(step).map((sentence) => make("span", { class: `line-${toneOf(sentence)}` }, ...sentenceNodes(sentence, known)));
  entries[step] = make("button", { type: "button", tabindex: "-1", class: "entry", "data-step": step }, ...lines);
  return make("li", {}, entries[step]);
}

function fill(section) {
  if (section.made) return;
  section.made = true;
  const items = [];
  for (let step = section.from; step <= section.to; step++) items.push(entryOf(step, section.seat));
  section.steps.append(...items);
}

/** The section of a step, with all its entries. */
function filledSection(step) {
  let low = 0;
  let high = sections.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sections[middle].from <= step) low = middle;
    else high = middle - 1;
  }
  for (const near of sections.slice(Math.max(low - 6, 0), low + 7)) fill(near);
}

const whenIdle = window.requestIdleCallback || ((act) => setTimeout(act, 30));

/** Make the rest of the log in small pieces, so that it can be scrolled and searched. */
function fillRest(from = 0) {
  for (const section of sections.slice(from, from + AT_ONCE)) fill(section);
  if (from + AT_ONCE < sections.length) whenIdle(() => fillRest(from + AT_ONCE));
  else {
    log.dataset.made = "all";
    if (current) keepInSight(current);
  }
}

let current = null;

function markEntry(step) {
  filledSection(step);
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
  // Many steps may come in one frame, and turns that are not visible have an estimated height until they are laid out.
  requestAnimationFrame(() => {
    if (current !== entry) return;
    keepInSight(entry);
    requestAnimationFrame(() => current === entry && keepInSight(entry));
  });
}

function keepInSight(entry) {
  if (!log.clientHeight) return;
  const box = entry.getBoundingClientRect();
  const frame = log.getBoundingClientRect();
  const room = Math.min(frame.height / 4, 80);
  if (box.top < frame.top + room) log.scrollTop += box.top - frame.top - room;
  else if (box.bottom > frame.bottom - room) log.scrollTop += box.bottom - frame.bottom + room;
}

addSections();
