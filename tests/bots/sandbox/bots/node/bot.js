// Takes the first choice, and keeps a note in its scratch folder.
const fs = require("fs");
const os = require("os");
const path = require("path");
const say = (message) => process.stdout.write(JSON.stringify(message) + "\n");
let rest = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\n");
  rest = lines.pop();
  for (const message of lines.map((line) => JSON.parse(line))) {
    if (message.type === "hello") say({ type: "hello", name: "node" });
    if (message.type === "start") say({ type: "ready" });
    if (message.type === "quit") process.exit(0);
    if (message.type === "decide") {
      fs.writeFileSync(path.join(os.tmpdir(), "note.txt"), String(message.id));
      say({ type: "choose", id: message.id, choice: 0 });
    }
  }
});
