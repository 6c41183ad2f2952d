// npm run build: installs and builds what is missing, and starts nothing. A service whose user may not
// write here runs it first (docs/postcard.service).
import { endChildren } from "./lib/children.mjs";
import { prepare } from "./lib/prepare.mjs";
import { giveUp } from "./lib/project.mjs";
import { listenForStop } from "./lib/signals.mjs";

listenForStop(async () => {
  await endChildren();
  process.exit(1);
});

try {
  await prepare();
  process.exit(0);
} catch (error) {
  giveUp(error.message);
}
