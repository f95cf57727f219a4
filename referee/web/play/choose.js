// The open question of this seat: picks that lead to a choice, the list of all choices, and sending one of them.
// The server says which picks may follow each pick, so that this script knows no rules.

const LONGEST_SHOW = 6; // seconds in which new steps are shown, however many they are
const coversBoard = matchMedia("(max-width: 900px)"); // the open list covers the board
const byFinger = matchMedia("(pointer: coarse)");
const TICK = 250; // milliseconds from one look at the clock to the next
let question = null; // null while others decide
let path = []; // the picks of the unfinished choice
let asksAbout = null; // the index of a choice that needs a confirmation
let sentId = -1; // the decision that was answered last
let problem = "";
let hasShownScores = false; // after the end
let deadline = 0; // when the time is up, by this machine's clock
let seatState = { ended: false, hint: null };

const title = make("h2", { id: "choose-title", tabindex: "-1" });
const crumbs = make("p", { class: "crumbs" });
const options = make("div", { class: "options", role: "group", "aria-labelledby": "choose-title" });
const clock = make("span", { class: "clock", role: "timer", hidden: "" });
const undoButton = make("button", { type: "button", title: "Take back the last pick (Esc)" }, "Undo");
const listButton = make("button", { type: "button", "aria-expanded": "false", "aria-controls": "choices", title: "Show all choices as a list (c)" });
const leaveButton = make("button", { type: "button", class: "quiet" }, "Leave");
const hintButton = make("button", { type: "button", title: "Show a hint; the record says that you asked for it (h)" }, "Hint");
const hintText = make("div", { class: "hint", role: "status", hidden: "" });
const announced = make("p", { class: "hidden", role: "status" });
const panel = make("section", { id: "choose", class: "choose", "aria-label": "Your choice" }, make("div", { class: "choose-head" }, title, clock, undoButton, hintButton, listButton, leaveButton), crumbs, hintText, options, announced);
const filter = make("input", { type: "search", placeholder: "Filter: place hamb", "aria-label": "Filter the choices", autocomplete: "off" });
const list = make("div", { class: "choice-list" });
const closeList = make("button", { type: "button", "aria-label": "Close the list" }, "×");
const choices = make("section", { id: "choices", class: "choices", "aria-label": "All choices", hidden: "" }, make("div", { class: "choices-head" }, filter, closeList), list);
byId("happened").before(panel);
document.querySelector("main").append(choices);
document.body.classList.add("seated");

// -- the tree of picks

/** What can be picked after the picks so far. */
function treeNow() {
  return path.reduce((tree, pick) => pick.then, question.tree);
}

const isCurrent = () => question !== null && shown === last && last >= question.id - 1;
const isWaiting = () => question === null || question.id === sentId;
const canPick = () => isCurrent() && !isWaiting() && asksAbout === null;
const labelOf = (pick) => ("index" in pick ? sentence(question.labels[pick.index]) : pick.label);
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

function pickAt(at) {
  const pick = canPick() && treeNow().picks.find((other) => other.at === at);
  if (!pick) return;
  if ("index" in pick) return propose(pick.index, isOnBoard(at) && byFinger.matches);
  path.push(pick);
  refresh(true);
}

function undo() {
  if (asksAbout !== null) asksAbout = null;
  else if (path.length && !isWaiting()) path.pop();
  else return;
  refresh(true);
}

/** Send a choice, after a confirmation if it would surprise, or if a finger may have missed a place on the board. */
function propose(index, isUnsure = false) {
  if (!isCurrent() || isWaiting()) return;
  if ((isUnsure || question.confirm.includes(index)) && asksAbout !== index) asksAbout = index;
  else send(index);
  refresh(true);
}

/** Every choice that the picks on the page lead to. */
function reachableByPicks(tree = question.tree) {
  return tree.picks.flatMap((pick) => {
    if (isOnBoard(pick.at) && !shapeOf(pick.at)) return [];
    return "index" in pick ? [pick.index] : reachableByPicks(pick.then);
  });
}

/** Every choice that a button of the list sends. */
function reachableByList() {
  return [...list.querySelectorAll("[data-choice]")].map((button) => Number(button.dataset.choice));
}

/** The targets of the picks that lead to a choice. */
function pathTo(index, tree = question.tree) {
  for (const pick of tree.picks) {
    if (pick.index === index) return [pick.at];
    const rest = pick.then && pathTo(index, pick.then);
    if (rest) return [pick.at, ...rest];
  }
  return null;
}

// -- sending

async function send(index) {
  const { id } = question;
  sentId = id;
  asksAbout = null;
  problem = "";
  try {
    const answer = await fetch(game.live.seat.choose, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id, choice: index }) });
    if (!answer.ok) throw new Error((await answer.json()).error);
  } catch (error) {
    if (question === null || question.id !== id) return; // it has arrived after all
    sentId = -1;
    problem = error instanceof TypeError ? "The server cannot be reached. Choose again." : error.message;
    refresh();
  }
}

async function leave() {
  if (!confirm("Leave the game? The referee ends your turns, and the others play on. You cannot come back.")) return;
  await fetch(game.live.seat.leave, { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" }).catch(() => {
    problem = "The server cannot be reached. Try again.";
    refresh();
  });
}

async function askHint() {
  if (!game.live.seat.hint || isWaiting() || seatState.hint !== null) return;
  const { id } = question;
  try {
    const answer = await fetch(game.live.seat.hint, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ id }) });
    if (!answer.ok) throw new Error((await answer.json()).error);
  } catch (error) {
    if (question === null || question.id !== id) return;
    problem = error instanceof TypeError ? "The server cannot be reached. Try again." : error.message;
    refresh();
  }
}

// -- the panel

function refresh(moveFocus = false) {
  const had = panel.contains(document.activeElement) || targets.contains(document.activeElement);
  const picks = canPick() ? treeNow().picks : [];
  drawTargets(picks, labelOf);
  title.replaceChildren(...headNodes());
  crumbs.replaceChildren(...crumbNodes());
  options.replaceChildren(...optionNodes(picks));
  undoButton.hidden = isWaiting() || !(path.length || asksAbout !== null);
  listButton.hidden = isWaiting();
  showHint();
  leaveButton.hidden = seatState.ended || !isRunning;
  if (question) listButton.textContent = `All ${plural(question.labels.length, "choice")}`;
  panel.classList.toggle("asks", isCurrent() && !isWaiting());
  document.body.dataset.question = question && !isWaiting() ? question.id : "";
  document.body.classList.toggle("over", !isRunning);
  showClock();
  tellQuestion();
  if (!isRunning && shown === last && !hasShownScores) {
    hasShownScores = true;
    showTab("scores");
  }
  if (moveFocus && had) focusNext();
}

/** The hint for the open question: the button before it is asked for, the sentences when it has come. */
function showHint() {
  const hint = isWaiting() ? null : seatState.hint;
  hintButton.hidden = isWaiting() || !game.live.seat.hint || hint !== null;
  hintText.hidden = hint === null;
  const lines = hint === null ? [] : (hint || "Looking for a hint …").split("\n");
  if (hintText.textContent !== lines.join("")) hintText.replaceChildren(...lines.map((line) => make("p", {}, line)));
}

function headNodes() {
  if (isWaiting()) return waitingNodes();
  if (!isCurrent()) return ["It is your decision"];
  return [asksAbout === null ? treeNow().ask : sentence(`${question.labels[asksAbout]}?`)];
}

function waitingNodes() {
  const cells = cellsAt(last);
  if (!isRunning || cells[cellOfNow("over")]) return ["The game is over"];
  if (seatState.ended) return ["You are out of the game; the others play on"];
  const asked = cells[cellOfNow("asked")];
  if (question !== null || asked === mine) return ["Your choice is on its way …"];
  return ["Waiting for ", nameOf(asked), " …"];
}

function crumbNodes() {
  if (problem) return [make("span", { class: "problem", role: "alert" }, problem)];
  if (seatState.notice) return [make("span", { class: "problem" }, seatState.notice)];
  if (question !== null && !isCurrent()) return ["New steps come first."];
  if (isWaiting()) return isRunning ? [] : endNodes();
  const picks = [...question.given, ...path.map((pick) => pick.label)].map((label) => make("span", { class: "crumb" }, label));
  return [...picks, asksAbout === null ? make("span", { class: "soft" }, hint()) : confirmText()];
}

function hint() {
  const onBoard = treeNow().picks.filter((pick) => isOnBoard(pick.at)).length;
  if (!onBoard) return "Pick one:";
  return onBoard < treeNow().picks.length ? "Pick a lit place on the board, or one of these:" : "Pick a lit place on the board.";
}

function confirmText() {
  const actions = newestCells[cellOfNow("actions")] + newestCells[cellOfNow("extra")];
  return make("span", {}, question.kind === "turn" && actions && path.length === 0 ? `You have ${plural(actions, "action")} left.` : "");
}

function optionNodes(picks) {
  const button = (text, act, attributes = {}) => {
    const element = make("button", { type: "button", ...attributes }, text);
    element.addEventListener("click", act);
    return element;
  };
  if (question !== null && shown < last) return [button(isPlaying() ? "Skip" : "Show the newest step", KEYS.End, { title: "Go to the newest step (End)" })];
  if (shown < last && isPlaying()) return [button("Skip", KEYS.End, { title: "Go to the newest step (End)" })];
  if (asksAbout !== null && !isWaiting()) return [button("Yes", () => propose(asksAbout), { class: "strong" }), button("No", undo)];
  return picks.filter((pick) => !isOnBoard(pick.at)).map((pick) => make("button", { type: "button", "data-at": pick.at, title: labelOf(pick) }, pick.label));
}

function endNodes() {
  return game.live.replay ? [make("a", { href: game.live.replay, target: "_blank", rel: "noopener" }, "Replay the game"), make("span", { class: "soft" }, "The score pad is beside the board; step back to see how it came to this.")] : [];
}

/** After a pick by key, go on where the next one can be made. */
function focusNext() {
  const next = options.querySelector("button") ?? targets.querySelector('[tabindex="0"]') ?? title;
  next.focus();
}

let toldText = "";

/** Tell screen readers what is asked, once. */
function tellQuestion() {
  const text = isCurrent() || isWaiting() ? title.textContent : "";
  if (!text || text === toldText) return;
  toldText = text;
  announced.textContent = text;
}

function showClock() {
  clock.hidden = !deadline || isWaiting();
  if (clock.hidden) return;
  const left = Math.max(0, deadline - performance.now()) / 1000;
  clock.textContent = left < 20 ? `${left.toFixed(1)} s` : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
  clock.classList.toggle("short", left < 10);
}

setInterval(showClock, TICK);

// -- the list

function listNodes(items) {
  return items.map((item) => {
    if (item.items) return make("details", {}, make("summary", {}, item.label, ...noteNodes(item), make("span", { class: "soft" }, ` ${sizeOf(item)}`)), make("div", { class: "group" }, ...listNodes(item.items)));
    return make("button", { type: "button", class: "choice", "data-choice": item.index }, make("span", {}, sentence(item.label)), ...noteNodes(item));
  });
}

const sizeOf = (item) => (item.items ? item.items.reduce((sum, inner) => sum + sizeOf(inner), 0) : 1);
const noteNodes = (item) => (item.note ? [make("small", { class: "soft" }, ` ${item.note}`)] : []);

function showList() {
  list.replaceChildren(...(question && !isWaiting() ? listNodes(question.list) : [make("p", { class: "soft" }, "The choices are listed here when it is your decision.")]));
  applyFilter();
}

/** Without accents and upper case, so that "lubeck" finds "Lübeck". */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function applyFilter() {
  const wanted = plain(filter.value).split(/\s+/).filter(Boolean);
  for (const button of list.querySelectorAll(".choice")) {
    const text = plain(`${question.labels[button.dataset.choice]} ${button.textContent}`);
    button.hidden = !wanted.every((word) => text.includes(word));
  }
  for (const group of [...list.querySelectorAll("details")].reverse()) {
    const found = group.querySelector(".choice:not([hidden])");
    group.hidden = !found;
    if (wanted.length) group.open = Boolean(found);
  }
}

function toggleList(open = choices.hidden) {
  choices.hidden = !open;
  listButton.setAttribute("aria-expanded", String(open));
  document.body.classList.toggle("lists", open);
  if (open) filter.focus({ preventScroll: true });
  else listButton.focus({ preventScroll: true });
}

// -- what the server says

/** The state of this seat: the open question, if any, and whether it still plays. */
function takeSeat(state) {
  const isNew = state.question?.id !== question?.id;
  seatState = state;
  deadline = state.left_ms === null ? 0 : performance.now() + state.left_ms;
  if (isNew) {
    question = state.question;
    path = [];
    asksAbout = null;
    problem = "";
    filter.value = "";
  }
  if (question && state.answered) sentId = question.id;
  showList();
  refresh();
}

// -- what others did

/** Show new steps one after the other: one's own at once, those of others so that they can be seen. */
showNewest = () => {
  if (isPlaying()) return;
  while (shown < last && decisions.seat[shown + 1] === mine) go(shown + 1);
  if (shown === last) return;
  const pace = Math.max(speed, (last - shown) / LONGEST_SHOW);
  timer = setTimeout(() => {
    timer = 0;
    go(shown + 1);
    showNewest();
    showPlayButton();
  }, 1000 / pace);
  showPlayButton();
};

onStep(() => refresh());
onGrowth(() => refresh());

// -- keys, buttons, pointer

KEYS.Escape = undo;
KEYS.c = () => toggleList();
if (game.live.seat.hint) KEYS.h = askHint;
document.addEventListener("click", (event) => {
  const target = event.target.closest("[data-at]") ?? (byFinger.matches && byId("table").contains(event.target) ? nearestTarget(event) : null);
  if (target) pickAt(target.dataset.at);
});
document.addEventListener("keydown", (event) => {
  const isPick = event.key === "Enter" || event.key === " ";
  if (!isPick || event.target instanceof HTMLButtonElement || !event.target.dataset?.at) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pickAt(event.target.dataset.at);
}, true);
filter.addEventListener("keydown", (event) => {
  if (event.key === "Escape") toggleList(false);
  event.stopPropagation(); // the keys of the page do not act while somebody types
});
filter.addEventListener("input", applyFilter);
list.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choice]");
  if (!button) return;
  propose(Number(button.dataset.choice));
  if (coversBoard.matches) toggleList(false);
});
undoButton.addEventListener("click", undo);
hintButton.addEventListener("click", askHint);
listButton.addEventListener("click", () => toggleList());
closeList.addEventListener("click", () => toggleList(false));
leaveButton.addEventListener("click", leave);

const keysHelp = { ...(game.live.seat.hint ? { "h": "show a hint; the record says that you asked for it" } : {}), "c": "open or close the list of all choices", "Esc": "take back the last pick", "Tab": "to the board, the options and your desk; on the board, arrow keys go from one lit place to the next, and Enter picks it" };
for (const [key, text] of Object.entries(keysHelp)) document.querySelector("#help .keys").append(make("dt", {}, make("kbd", {}, key)), make("dd", {}, text));

// Tests compare what can be reached with the legal choices.
globalThis.refereeChoices = { question: () => question, reachableByPicks, reachableByList, pathTo };
byId("subtitle").textContent = `${game.subtitle} · you play ${names[mine]}`;
showList();
refresh();
