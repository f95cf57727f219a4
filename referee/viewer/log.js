// The log: every turn with its steps, every step with what it tells.

const log = byId("log");
const entries = []; // by step
const firstOfTurn = new Set(turns.map(({ step }) => step));

function entryOf(step, known) {
  const lines = sentencesAt(step).map((sentence) => make("span", { class: `line-${toneOf(sentence)}` }, ...sentenceNodes(sentence, known)));
  const entry = make("button", { type: "button", tabindex: "-1", class: "entry", "data-step": step }, ...lines);
  entries.push(entry);
  return make("li", {}, entry);
}

function turnHead(step) {
  const { turn, seat } = turns[turnAt(step)];
  return make("button", { type: "button", tabindex: "-1", class: "turn-head", "data-step": step }, make("span", { class: "turn-number" }, `Turn ${turn}`), nameOf(seat));
}

(function buildLog() {
  const list = document.createDocumentFragment();
  let steps = null;
  for (let step = 0; step <= last; step++) {
    // A step belongs to the turn that it was decided in; the next turn begins with the position after it.
    const began = step === 0 ? null : turnAt(step - 1);
    if (step === 0 || firstOfTurn.has(step - 1)) {
      steps = make("ol", { class: "steps" });
      const head = step === 0 ? make("div", { class: "turn-head still" }, "Set-up") : turnHead(step - 1);
      list.append(make("section", { class: "turn" }, head, steps));
    }
    steps.append(entryOf(step, began === null ? -1 : turns[began].seat));
  }
  log.append(list);
})();

let current = null;

function markEntry(step) {
  const entry = entries[step];
  if (current) {
    current.removeAttribute("aria-current");
    current.tabIndex = -1;
  }
  entry.setAttribute("aria-current", "step");
  entry.tabIndex = 0;
  const moveFocus = current !== null && document.activeElement === current;
  current = entry;
  if (moveFocus) entry.focus({ preventScroll: true });
  keepInSight(entry);
  // Turns out of sight have a guessed height; once they are laid out, the place is known.
  requestAnimationFrame(() => current === entry && keepInSight(entry));
}

function keepInSight(entry) {
  if (!log.clientHeight) return;
  const box = entry.getBoundingClientRect();
  const frame = log.getBoundingClientRect();
  const room = Math.min(frame.height / 4, 80);
  if (box.top < frame.top + room) log.scrollTop += box.top - frame.top - room;
  else if (box.bottom > frame.bottom - room) log.scrollTop += box.bottom - frame.bottom + room;
}
