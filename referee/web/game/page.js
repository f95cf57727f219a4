// The current step, playing, keys and buttons, and the text about the step that is shown.

const SPEEDS = [0.5, 1, 2, 5, 10, 25, 60];
const slider = byId("slider");
const live = byId("live");
let shown = -1;
let isRunning = Boolean(game.live && !game.live.ended); // whether more steps may come
let follows = false; // whether the newest step is shown as soon as it comes
let showNewest = () => go(last);
const stepListeners = []; // called after another step is shown
let timer = 0;
let speed = 2;
let announceTimer = 0;
let addressTimer = 0;

function go(step) {
  const next = Math.min(Math.max(Math.round(step) || 0, 0), last);
  setFollows(isRunning && next === last);
  if (next === shown && !better) return;
  forgetBetter();
  animates = next === shown + 1 && shown >= 0;
  shown = next;
  showStep(next);
  moveCursor(next);
  markEntry(next);
  slider.value = next;
  showWhere(next);
  document.body.dataset.step = next;
  updateAddress(next);
  for (const act of stepListeners) act();
}

/** Show the position of a step, and what happened in it. */
function showStep(step) {
  showCells(cellsAt(step), changedCells(deltas[step]), decisions.seat[step]);
  showHappened(step);
  showJudgement(step);
  announce(step);
}

let shownCells = [];

/** Show a position; the places of the changed cells are highlighted in the colour of a seat. */
function showCells(cells, changed, seat) {
  shownCells = cells;
  paintAll(cells);
  showHalos(changed, seat);
  showNow(cells);
  byId("board-summary").textContent = boardSummary(cells);
  if (byId("as-text").open) showPosition(cells);
}

/** Call a function whenever another step is shown. */
function onStep(act) {
  stepListeners.push(act);
}

function showWhere(step) {
  slider.setAttribute("aria-valuetext", stepText(step));
  byId("where").textContent = `${step} / ${last}`;
}

function stepText(step) {
  const { turn, seat } = turns[turnAt(step)];
  return `Step ${step} of ${last}, turn ${turn}, ${names[seat]}`;
}

// -- the text about a step

function showNow(cells) {
  const over = cells[cellOfNow("over")];
  const parts = [];
  if (over) {
    const best = game.names.map((_, seat) => seat).filter((seat) => cells[cellOfStanding(seat, "rank")] === 1);
    parts.push(make("b", {}, "The game is over"), make("span", { class: "spacer" }), make("span", { class: "soft" }, "first:"));
    best.forEach((seat) => parts.push(nameOf(seat), make("b", {}, String(cells[cellOfStanding(seat, "total")]))));
  } else {
    const extra = cells[cellOfNow("extra")];
    const actions = plural(cells[cellOfNow("actions")], "action") + " left" + (extra ? ` (${extra} from markers)` : "");
    parts.push(make("b", {}, `Turn ${cells[cellOfNow("turn")]}`), nameOf(cells[cellOfNow("active")]), make("span", { class: "soft" }, actions), make("span", { class: "spacer" }));
    parts.push(...offBoardNodes(cells), ...nextDecisionNodes(cells));
  }
  byId("now").replaceChildren(...parts);
}

/** The next decision, unless it is the choice of an action. */
function nextDecisionNodes(cells) {
  const kind = words.decisions[cells[cellOfNow("kind")]];
  const seat = cells[cellOfNow("asked")];
  return kind === "turn" ? [] : [make("span", { class: "soft" }, `next: ${kind}`), nameOf(seat)];
}

function offBoardNodes(cells) {
  const held = cells[cellOf("in_hand")];
  if (!held.length) return [];
  const bits = held.map((man) => make("i", { class: `bit ${kindOf(man)} ${tintOf(colourOf(man))}`, title: manText(man) }));
  return [make("span", { class: "in-hand" }, make("span", { class: "soft" }, "off the board"), ...bits)];
}

function showHappened(step) {
  showSentences(sentencesAt(step), decisionText(step));
}

function showSentences(said, aboutText) {
  const lines = said.map((sentence) => make("span", { class: `line-${toneOf(sentence)}` }, ...sentenceNodes(sentence)));
  const about = make("p", { class: "about-step" }, aboutText);
  byId("happened").replaceChildren(make("p", { class: "sentences" }, ...lines.flatMap((line) => [line, " "])), about);
}

function decisionText(step) {
  if (step === 0) return "The set-up";
  if (decisions.seat[step] < 0) return "No decision";
  const by = words.by[decisions.by[step]]; // undefined if it is hidden from the viewer
  const kind = `Decision ${step}: ${words.decisions[decisions.kind[step]]}`;
  if (!by) return kind;
  if (by === "single") return `${kind} · the only choice`;
  const offered = plural(decisions.offered[step], "choice");
  return by === "referee" ? `${kind} · ${offered} · chosen by the referee` : `${kind} · ${offered} · ${decisions.ms[step]} ms`;
}

/** Tell screen readers about a step, and about the mistake that begins there. */
function announce(step) {
  const texts = sentencesAt(step).map((sentence) => textOf(sentenceNodes(sentence)));
  const mistake = mistakes.find((one) => one.step === step);
  if (mistake) texts.push(mistakeText(mistake).textContent);
  say(texts.join(". "));
}

/** Tell screen readers a text; while the game plays fast, only the last one is read out. */
function say(text) {
  clearTimeout(announceTimer);
  announceTimer = setTimeout(() => {
    live.textContent = text;
  }, 400);
}

function showPosition(cells) {
  const { routes, cities } = positionText(cells);
  const list = (title, items) => [make("h3", {}, title), make("ul", {}, ...items.map((item) => make("li", {}, item)))];
  byId("position").replaceChildren(...list("Routes", routes), ...list("Cities", cities));
}

/** Put the step into the address, after a pause: browsers limit how often it may change. */
function updateAddress(step) {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => setAddress(follows ? "" : step), 300);
}

// -- playing

function isPlaying() {
  return timer !== 0;
}

function pause() {
  clearInterval(timer);
  timer = 0;
  showPlayButton();
}

function play() {
  if (shown === last) {
    if (isRunning) return;
    go(0);
  }
  clearInterval(timer);
  timer = setInterval(() => (shown < last ? go(shown + 1) : pause()), 1000 / speed);
  showPlayButton();
}

function showPlayButton() {
  byId("play").classList.toggle("playing", isPlaying());
  byId("play").setAttribute("aria-label", isPlaying() ? "Pause" : "Play");
}

const toggle = () => (isPlaying() ? pause() : play());

function setSpeed(value) {
  speed = value;
  byId("speed").value = String(value);
  if (isPlaying()) play();
}

function changeSpeed(by) {
  const at = SPEEDS.indexOf(speed) + by;
  setSpeed(SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)]);
}

function nextTurn() {
  const next = turns[turnAt(shown) + 1];
  go(next ? next.step : last);
}

function previousTurn() {
  const at = turnAt(shown);
  go(shown > turns[at].step || at === 0 ? turns[at].step : turns[at - 1].step);
}

function nextFault() {
  if (faults.length) go(faults.find((step) => step > shown) ?? faults[0]);
}

// -- appearance

function toggleZoom() {
  const large = document.body.classList.toggle("zoomed");
  byId("zoom").setAttribute("aria-pressed", String(large));
}

function showTab(name) {
  document.body.dataset.tab = name;
  for (const button of document.querySelectorAll("button[data-tab]")) button.setAttribute("aria-pressed", String(button.dataset.tab === name));
  if (current) requestAnimationFrame(() => scrollToEntry(current));
}

function help() {
  const dialog = byId("help");
  if (dialog.open) dialog.close();
  else {
    pause();
    dialog.showModal();
  }
}

// -- keys, buttons, pointer

const pausing = (act) => () => {
  pause();
  act();
};
const stepping = (by) => pausing(() => (better ? showBetter(betterAt + by) : go(shown + by)));
const back = stepping(-1);
const forward = stepping(1);
const KEYS = {
  ArrowLeft: back,
  ArrowRight: forward,
  ArrowUp: back,
  ArrowDown: forward,
  Home: pausing(() => go(0)),
  End: pausing(() => go(last)),
  PageUp: pausing(previousTurn),
  PageDown: pausing(nextTurn),
  p: pausing(previousTurn),
  n: pausing(nextTurn),
  f: pausing(nextFault),
  w: pausing(() => toMistake(1)),
  W: pausing(() => toMistake(-1)),
  a: pausing(toggleBetter),
  " ": toggle,
  "+": () => changeSpeed(1),
  "-": () => changeSpeed(-1),
  g: nextGraph,
  d: () => showTab("desks"),
  s: () => showTab("scores"),
  l: () => showTab("log"),
  t: toggleTheme,
  z: toggleZoom,
  "?": help,
};

function isNotForPage(event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return true;
  if (byId("help").open) return event.key !== "?";
  if (event.target instanceof HTMLSelectElement) return true;
  // On a line of the log, Enter goes to its step and space plays from there.
  return event.key === " " && event.target instanceof HTMLButtonElement && !event.target.dataset.step;
}

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || isNotForPage(event)) return;
  event.preventDefault();
  act();
});

function goToMarked(event) {
  const marked = event.target.closest("[data-step]");
  if (!marked) return;
  pause();
  go(Number(marked.dataset.step));
}

const clicks = {
  home: KEYS.Home,
  "turn-back": KEYS.p,
  back,
  play: toggle,
  forward,
  "turn-forward": KEYS.n,
  end: KEYS.End,
  follow: KEYS.End,
  "next-fault": KEYS.f,
  theme: toggleTheme,
  zoom: toggleZoom,
  "help-open": help,
  ...(analysis && { "mistake-back": KEYS.W, "mistake-forward": KEYS.w, better: KEYS.a }),
};
for (const [id, act] of Object.entries(clicks)) byId(id).addEventListener("click", act);
byId("log").addEventListener("click", goToMarked);
byId("marks").addEventListener("click", goToMarked);
slider.addEventListener("input", () => {
  pause();
  go(Number(slider.value));
});
plot.addEventListener("pointerdown", (event) => {
  if (event.target.closest(".mistake-mark")) return goToMarked(event);
  pause();
  plot.setPointerCapture(event.pointerId);
  go(stepAtPointer(event));
});
plot.addEventListener("pointermove", (event) => {
  if (event.buttons & 1) go(stepAtPointer(event));
});
byId("speed").addEventListener("change", (event) => setSpeed(Number(event.target.value)));
byId("as-text").addEventListener("toggle", () => showPosition(shownCells));
for (const button of document.querySelectorAll("[data-graph]")) button.addEventListener("click", () => chooseGraph(button.dataset.graph));
for (const button of document.querySelectorAll("button[data-tab]")) button.addEventListener("click", () => showTab(button.dataset.tab));
addEventListener("hashchange", () => go(Number(location.hash.slice(1))));

// -- a game that grows

/** Show how many steps and faults there are. */
function showExtent() {
  slider.max = last;
  byId("next-fault").hidden = !faults.length;
  byId("next-fault").textContent = plural(faults.length, "fault");
  drawFaults();
}

function setFollows(value) {
  follows = value;
  byId("follow").setAttribute("aria-pressed", String(value));
}

/** The game is over, or the connection ends: no more steps will come. */
function stopRunning() {
  isRunning = false;
  setFollows(false);
  byId("follow").hidden = true;
  byId("provenance").textContent = provenance();
  for (const act of stepListeners) act();
}

onGrowth((changed) => {
  showExtent();
  drawGraph();
  if (follows) showNewest();
  showWhere(shown);
  moveCursor(shown);
  slider.value = shown;
  if (changed.includes(shown)) showHappened(shown);
});

// -- start

/** Who saw the game like this; empty if nothing is hidden. */
function viewerText() {
  if (game.public) return "as spectators see it";
  return game.viewer_seat === null ? "" : `as ${names[game.viewer_seat]} saw it`;
}

function provenance() {
  const from = viewerText() || `seed ${game.seed}`;
  const rest = game.complete || isRunning ? "" : " · the record is not complete";
  return `${game.id} · board ${game.digest} · ${from}${rest}`;
}

const [, , wide, high] = drawing.box.split(" ").map(Number);
document.body.dataset.shape = wide < high ? "tall" : "wide";
document.body.style.setProperty("--aspect", String(wide / high));
byId("subtitle").textContent = [game.subtitle, viewerText()].filter(Boolean).join(" · ");
byId("provenance").textContent = provenance();
byId("marker-key").append(...words.marker_names.map((name, marker) => make("li", {}, markerBit(marker, false), name)));
byId("speed").append(...SPEEDS.map((value) => make("option", { value: String(value) }, `${value}/s`)));
byId("follow").hidden = !isRunning;
showExtent();
setSpeed(2);
chooseGraph(analysis ? "chances" : "prestige");
showTab(matchMedia("(max-width: 900px)").matches ? "log" : "desks");
go(isRunning && !location.hash ? last : Number(location.hash.slice(1)));
document.body.dataset.ready = "yes";
whenIdle(() => fillRest());
