// The talk with the referee: a message in, an answer out, until it says quit or its input ends.

import { parseArgs } from "node:util";
import { jsonMessages, jsonThenMessagePack } from "./wire.js";
import { Player } from "./think.js";

const { values: wishes } = parseArgs({
  options: {
    msgpack: { type: "boolean" },
    set: { type: "string", multiple: true }, // ["post=1.5"]: the parameters that bot.toml declares
  },
});
const { write, messages } = wishes.msgpack ? await jsonThenMessagePack() : jsonMessages();

write({
  type: "hello",
  name: "random-js",
  encoding: wishes.msgpack ? "msgpack" : "json",
  state: "none", // "full" if you want to be told the position with every request
});

let player;
for await (const message of messages) {
  if (message.type === "start") {
    player = new Player(message);
    write({ type: "ready" });
  } else if (message.type === "decide") {
    write({ type: "choose", id: message.id, choice: player.choose(message) });
  } else if (message.type === "error") {
    console.error("refused:", message.message); // stderr is the bot's own
  } else if (message.type === "quit") {
    process.exit();
  }
}
