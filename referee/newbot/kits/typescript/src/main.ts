// The talk with the referee: a message in, an answer out, until it says quit or its input ends.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { FromBot, FromReferee } from "./messages.js";
import { Player } from "./think.js";

function write(message: FromBot): void {
  writeSync(1, JSON.stringify(message) + "\n");
}

// State "full" if you want to be told the position with every request.
write({ type: "hello", name: "my-bot", state: "none" });

let player: Player | undefined;
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as FromReferee;
  switch (message.type) {
    case "start":
      player = new Player(message);
      write({ type: "ready" });
      break;
    case "decide":
      write({ type: "choose", id: message.id, choice: player!.choose(message) });
      break;
    case "error":
      console.error("refused:", message.message); // stderr is the bot's own
      break;
    case "quit":
      process.exit();
  }
}
