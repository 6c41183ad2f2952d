// npm run dev: the server with the screens straight from app/ (edits show at once), started again
// whenever something under server/ or shared/ changes.
import { join } from "node:path";
import { endChildren, start } from "./lib/children.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { giveUp, projectRoot } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";

listenForStop(async () => {
  await endChildren();
  process.exit(0);
});

try {
  await ensureInstalled({ dev: true });
  const watched = ["server", "shared", "messages"].map(
    (folder) => `--watch-path=${join(projectRoot, folder)}`,
  );
  // Vite loads React Router's development version: the server must hold the same one.
  const conditions = "--conditions=development";
  const main = join(projectRoot, "server", "main.ts");
  const words = [...watched, "--watch-preserve-output", conditions, main];
  const server = start(findNode(), words, {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "development" },
  });
  server.once("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  giveUp(error.message);
}
