// npm run bench: installs and builds like npm start, then measures (see docs/performance.md).
// npm run bench -- load …: sends requests at a constant rate to a server on this machine.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { projectRoot } from "./lib/project.mjs";

const [command, ...rest] = process.argv.slice(2);
const load = command === "load";

await ensureInstalled({ dev: true });
const node = findNode();
if (!load) await ensureBuilt(node);

const program = join(projectRoot, "bench", load ? "load-command.ts" : "run.ts");
const child = spawn(node, [program, ...(load ? rest : process.argv.slice(2))], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "production" },
});
// Ctrl-C reaches the child as well, and it tidies up: we only wait for it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.once("exit", (code) => process.exit(code ?? 1));
