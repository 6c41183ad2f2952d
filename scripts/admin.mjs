// npm run admin -- …: what an operator does with accounts, beside a running server or without one
// (see server/admin.ts). Plain JavaScript without dependencies, for the Node of the machine (20 or newer).
import { join } from "node:path";
import { endChildren, start } from "./lib/children.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { giveUp, projectRoot } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";

listenForStop(async () => {
  await endChildren();
  process.exit(1);
});

try {
  await ensureInstalled({ dev: false });
  const args = [join(projectRoot, "server", "admin.ts"), ...process.argv.slice(2)];
  const child = start(findNode(), args, { stdio: "inherit" });
  child.once("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  giveUp(error.message);
}
