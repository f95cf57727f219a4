// A running game: the server sends new steps as events, each with the number of steps that are known after it.

const RETRY = 2000; // milliseconds until the next try after the server refused
let source = null;
let retryTimer = 0;

/** Ask for the steps that are not known yet; the browser reconnects by itself, and says which event was the last. */
function connect() {
  source = new EventSource(`${game.live.events}?after=${game.live.after}`);
  source.addEventListener("open", () => showConnection("Live"));
  source.addEventListener("steps", (event) => {
    game.live.after = event.lastEventId;
    takeSteps(JSON.parse(event.data));
  });
  source.addEventListener("reset", () => location.reload());
  if (game.live.seat) source.addEventListener("seat", (event) => takeSeat(JSON.parse(event.data)));
  source.addEventListener("error", () => {
    showConnection("Connecting …");
    if (source.readyState === EventSource.CLOSED) retry();
  });
}

function retry() {
  clearTimeout(retryTimer);
  retryTimer = setTimeout(connect, RETRY);
}

/** Add the steps of an event; events that come twice change nothing. */
function takeSteps(added) {
  if (added.from > last + 1) return location.reload(); // steps between are missing
  if (added.from === last + 1) addSteps(added);
  if (added.ended) {
    if (!game.live.seat) source.close(); // while the page of a seat is open, the server stays
    game.complete = added.complete;
    stopRunning();
  }
}

function showConnection(text) {
  byId("follow").textContent = text;
  document.body.dataset.connection = text === "Live" ? "open" : "lost";
}

if (game.live) {
  showConnection("Connecting …");
  connect();
}
