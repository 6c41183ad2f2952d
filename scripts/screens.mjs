// npm run screens: installs and builds like npm start, then takes screenshots of a demo
// town into docs/screens (see e2e/screens/).
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { ensureChromium } from "./lib/chromium.mjs";
import { endChildren, start } from "./lib/children.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { findNode } from "./lib/node-binary.mjs";
import { giveUp, projectRoot } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";

/** Beside English: those that some screens are shown in. */
const languages = ["de", "ar"];

listenForStop(async () => {
  await endChildren();
  process.exit(1);
});

try {
  await ensureInstalled({ dev: true });
  const node = findNode();
  await ensureBuilt(node, { languages });
  const env = {
    ...process.env,
    LANGUAGES: ["en", ...languages].join(","),
    CHROMIUM_PATH: await ensureChromium(node),
  };
  const args = [join(projectRoot, "e2e", "screens", "take.ts"), ...process.argv.slice(2)];
  const child = start(node, args, { stdio: "inherit", cwd: projectRoot, env });
  child.once("exit", (code) => process.exit(code ?? 1));
} catch (error) {
  giveUp(error.message);
}
