// npm run admin -- …: what an operator does with accounts, beside a running server or without one
// (see server/admin.ts). Plain JavaScript without dependencies, for the Node of the machine (20 or newer).
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { endChildren, start } from "./lib/children.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode, nodeEnvironment } from "./lib/node-binary.mjs";
import { giveUp, projectRoot } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";

listenForStop(async () => {
  await endChildren();
  process.exit(1);
});

try {
  await ensureInstalled({ dev: false });
  const words = process.argv.slice(2);
  // What takes over has to find its screens.
  if (words[0] === "roll") await ensureBuilt(findNode(), { whileServing: true });
  const args = [join(projectRoot, "server", "admin.ts"), ...words];
  const child = start(findNode(), args, { stdio: "inherit", env: nodeEnvironment() });
  child.once("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  giveUp(error.message);
}
