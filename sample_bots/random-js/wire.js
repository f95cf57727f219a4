// Messages as bytes: a line of JSON each, or maps of MessagePack back to back.

import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

/** A line of JSON for each message, both ways. */
export function jsonMessages() {
  return { write: writeLine, messages: readLines() };
}

function writeLine(message) {
  writeSync(1, JSON.stringify(message) + "\n");
}

async function* readLines() {
  for await (const line of createInterface({ input: process.stdin })) {
    yield JSON.parse(line);
  }
}

/** MessagePack from the second message on; the two hellos are always JSON. */
export async function jsonThenMessagePack() {
  const { Encoder, decodeMultiStream } = await import("@msgpack/msgpack");
  const encoder = new Encoder();
  let hasSaidHello = false;

  function write(message) {
    if (hasSaidHello) {
      writeSync(1, encoder.encode(message));
    } else {
      writeLine(message);
      hasSaidHello = true;
    }
  }

  async function* read() {
    const chunks = process.stdin[Symbol.asyncIterator]();
    const { line, rest } = await readFirstLine(chunks);
    yield JSON.parse(line);
    yield* decodeMultiStream(following(rest, chunks));
  }

  return { write, messages: read() };
}

/** The first line of the input, and what was read beyond it. */
async function readFirstLine(chunks) {
  let read = Buffer.alloc(0);
  while (!read.includes("\n")) {
    const { value, done } = await chunks.next();
    if (done) process.exit();
    read = Buffer.concat([read, value]);
  }
  const end = read.indexOf("\n");
  return { line: read.toString("utf8", 0, end), rest: read.subarray(end + 1) };
}

async function* following(rest, chunks) {
  yield rest;
  yield* chunks;
}
