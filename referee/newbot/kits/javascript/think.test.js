import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "./think.js";

const START = { type: "start", game: "a-game", seat: 1 };
const REQUEST = {
  type: "decide",
  id: 41,
  decision: "levy",
  about: { by: 2 },
  choices: [
    { do: "levy", tradesman: "trader" },
    { do: "levy", tradesman: "merchant" },
    { do: "decline" },
  ],
  events: [],
  clock_ms: null,
};

function choicesMade() {
  const player = new Player(START);
  return Array.from({ length: 100 }, () => player.choose(REQUEST));
}

test("every choice is on offer, and each is taken now and then", () => {
  assert.deepEqual(new Set(choicesMade()), new Set([0, 1, 2]));
});

test("the same game is played the same way again", () => {
  assert.deepEqual(choicesMade(), choicesMade());
});
