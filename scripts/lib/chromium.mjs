import { existsSync } from "node:fs";
import { runToEnd } from "./children.mjs";
import { programOf, projectRoot, say } from "./project.mjs";

/**
 * Chromium without the windows, menus and side panels around its pages: the same engine, and the
 * stories take half the processor time (63 s instead of 123 s for eighteen of them).
 */
const headlessShell = "/usr/bin/chromium-headless-shell";

const knownPaths = [
  headlessShell,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/**
 * Finds a Chromium for the stories, installing one where none is; returns its path.
 * Throws an Error with one sentence.
 */
export async function ensureChromium(node) {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen && existsSync(chosen)) return chosen;
  if (!existsSync(headlessShell)) await installByApt("chromium-headless-shell");
  const found = findChromium() ?? (await playwrightsOwn(node));
  if (found) return found;
  await installByApt("chromium");
  const installed = findChromium();
  if (installed) return installed;
  say("Installing Chromium for the stories (Playwright).");
  const playwright = programOf("@playwright/test", "playwright");
  await runToEnd(node, [playwright, "install", "chromium"]);
  const brought = await playwrightsOwn(node);
  if (brought) return brought;
  throw new Error("The stories need Chromium: install it (Debian: apt install chromium).");
}

/** Where we may; what cannot be installed is not, and the next way is tried. */
async function installByApt(name) {
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  say(`Installing ${name} for the stories (apt-get).`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const install = ["install", "-y", "--no-install-recommends", name];
  if ((await runToEnd("apt-get", install, { env })).code === 0) return;
  await runToEnd("apt-get", ["update"], { env });
  await runToEnd("apt-get", install, { env });
}

const findChromium = () => knownPaths.find((path) => existsSync(path));

/** The one that Playwright downloaded for itself, if it did. */
async function playwrightsOwn(node) {
  const question = 'console.log(require("@playwright/test").chromium.executablePath())';
  const { output } = await runToEnd(node, ["-e", question], { cwd: projectRoot });
  return existsSync(output.trim()) ? output.trim() : null;
}
