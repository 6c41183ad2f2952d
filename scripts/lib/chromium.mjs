import { existsSync } from "node:fs";
import { runToEnd } from "./children.mjs";
import { programOf, ROOT, say } from "./project.mjs";

const KNOWN_PLACES = [
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
  const found = findChromium() ?? (await playwrightsOwn(node));
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    say("Installing Chromium for the stories (apt-get).");
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    await runToEnd("apt-get", ["update"], { env });
    await runToEnd("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { env });
    const installed = findChromium();
    if (installed) return installed;
  }
  say("Installing Chromium for the stories (Playwright).");
  const playwright = programOf("@playwright/test", "playwright");
  await runToEnd(node, [playwright, "install", "chromium"]);
  const brought = await playwrightsOwn(node);
  if (brought) return brought;
  throw new Error("The stories need Chromium: install it (Debian: apt install chromium).");
}

function findChromium() {
  return [process.env.CHROMIUM_PATH, ...KNOWN_PLACES].find((path) => path && existsSync(path));
}

/** The one that Playwright downloaded for itself, if it did. */
async function playwrightsOwn(node) {
  const question = 'console.log(require("@playwright/test").chromium.executablePath())';
  const { output } = await runToEnd(node, ["-e", question], { cwd: ROOT });
  return existsSync(output.trim()) ? output.trim() : null;
}
