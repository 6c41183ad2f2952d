// For the Dockerfile: does once, as root, what a start in a container then finds done, and leaves out
// what nothing runs. Beside it, not part of npm start.
import { rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { translatedLanguages } from "./lib/languages.mjs";
import { prepare } from "./lib/prepare.mjs";
import { projectRoot } from "./lib/project.mjs";

// Notes that everything is there, before some of it goes. A container cannot build: it has every language.
const node = await prepare({ languages: translatedLanguages() });
const packages = join(projectRoot, "node_modules");
// What only the build needs, the largest of it: 75 MB that nothing runs.
const forBuilding = ["@rolldown", "@typescript", "@babel", "vite", "daisyui"];
for (const name of forBuilding) rmSync(join(packages, name), { recursive: true, force: true });
// For who compiles against Node.js.
rmSync(join(dirname(node), "..", "include"), { recursive: true, force: true });
symlinkSync(node, join(projectRoot, "node"));
