// npm run faults: kills, full disks, networks that go silent … and whether anything acknowledged was lost
// (docs/faults.md). `npm run faults -- kill disk` runs those with these words in their name.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { projectRoot } from "./lib/project.mjs";

await ensureInstalled({ dev: true });
const node = findNode();
await ensureBuilt(node);

const program = join(projectRoot, "faults", "run.ts");
const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: "inherit" });
// Ctrl-C reaches the child as well, and it tidies up: we only wait for it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.once("exit", (code) => process.exit(code ?? 1));
