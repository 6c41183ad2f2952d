// npm start: installs what is missing, builds what is stale, then runs the server and keeps it
// running. Plain JavaScript without dependencies, for the Node of the machine (20 or newer).
import { ensureBuilt } from "./lib/build.mjs";
import { endChildren } from "./lib/children.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { giveUp } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";
import { supervise } from "./lib/supervise.mjs";

const signals = listenForStop(async () => {
  await endChildren();
  process.exit(0);
});

try {
  await ensureInstalled({ dev: false });
  const node = findNode();
  await ensureBuilt(node);
  supervise({ node, signals });
} catch (error) {
  giveUp(error.message);
}
