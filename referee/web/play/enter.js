// Takes a seat with the code after "#" in the address, or with one that is typed, and then opens the game.
// The code is not part of any request's address, so that no log and no preview of a link uses it up.

const seatPath = location.pathname.replace(/\/$/, "");

function say(text) {
  byId("message").textContent = text;
}

/** Without "#" in it, so that the page is loaded again. */
const openGame = () => location.replace(seatPath);

async function take(code) {
  try {
    const answer = await fetch(`${seatPath}/take`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
    if (answer.ok) return openGame();
    say((await answer.json()).error);
  } catch {
    say("The server cannot be reached. Try again.");
  }
  byId("enter").hidden = false;
}

/** A browser that holds the seat does not say so when a link on another site was followed; a request from here does. */
async function start() {
  const code = decodeURIComponent(location.hash.slice(1));
  setAddress("");
  const { held } = await fetch(`${seatPath}/held`).then((answer) => answer.json()).catch(() => ({ held: false }));
  if (held) return openGame();
  if (code) return take(code);
  byId("enter").hidden = false;
  byId("code").focus();
}

byId("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  take(byId("code").value);
});
start();
