import { cpSync, existsSync, readdirSync } from "node:fs";
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runToEnd } from "./children.mjs";
import { languagesToBuild, pseudoLanguage, sourceLanguage } from "./languages.mjs";
import { alone, sharedWith } from "./lock.mjs";
import { precompress } from "./precompress.mjs";
import { duration, hashTrees, programOf, readJson, projectRoot, say } from "./project.mjs";

/**
 * Whatever the built screens are made of. What is not translated is English, so that its messages are in every
 * language's build.
 */
const sourcesOf = (language) => [
  "app",
  join("messages", sourceLanguage),
  ...(language === sourceLanguage ? [] : messagesOf(language)),
  "shared",
  "public",
  "vite.config.ts",
  "react-router.config.ts",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

const messagesOf = (language) =>
  ["plugin.ts", "read.ts", language === pseudoLanguage ? "pseudo.ts" : language].map((name) =>
    join("messages", name),
  );

/** Each language has a build of its own: so no file that is sent has words of another (decision 0247). */
const folderOf = (language) =>
  language === sourceLanguage ? "build" : join("build", "languages", language);

const stampOf = (language) => join(projectRoot, folderOf(language), "stamp.json");
const assetsOf = (language) =>
  language === sourceLanguage ? join("client", "assets") : join("client", "assets", language);

/**
 * Builds the screens in English and `languages`, by default those of LANGUAGES, where what they are made of has changed. `node`: the
 * Node that builds. `whileServing`: a server goes on with the former build, whose files stay until the new ones are there.
 * Throws an Error with the build's own words.
 */
export async function ensureBuilt(node, { whileServing = false, languages = asked() } = {}) {
  // English first: its build empties the folder in which the others are.
  for (const language of [sourceLanguage, ...languages]) {
    if (isBuilt(language)) continue;
    await alone(async () => {
      if (!isBuilt(language)) await build(node, { language, whileServing });
    });
  }
}

const asked = () => languagesToBuild(process.env["LANGUAGES"]);

function isBuilt(language) {
  const stamp = readJson(stampOf(language));
  return stamp !== null && stamp.sources === hashTrees(sourcesOf(language));
}

async function build(node, { language, whileServing }) {
  const started = Date.now();
  const named = language === sourceLanguage ? "" : ` in ${language}`;
  say(`Building the screens${named}. This happens once after each change of them.`);
  const former = readJson(stampOf(language));
  rmSync(stampOf(language), { force: true });
  const folder = folderOf(language);
  const built = join(projectRoot, folder);
  const serves = whileServing && existsSync(join(built, "server"));
  const into = serves ? join(folder, "next") : folder;
  const assets = assetsOf(language);
  const sources = hashTrees(sourcesOf(language));
  const tool = programOf("@react-router/dev", "react-router");
  const { code, output } = await runToEnd(node, [tool, "build"], {
    cwd: projectRoot,
    onStart: sharedWith,
    env: {
      ...process.env,
      NODE_ENV: "production",
      NO_COLOR: "1",
      POSTCARD_BUILD_INTO: into,
      POSTCARD_LANGUAGE: language,
    },
  });
  if (code !== 0) throw new Error(`Building the screens failed:\n${output.trim()}`);
  precompress(join(projectRoot, into, "client"));
  const files = namesIn(join(projectRoot, into, assets));
  if (into !== folder) {
    const kept = former?.files ?? namesIn(join(built, assets));
    takeOver({ built, next: join(projectRoot, into), assets, kept });
  }
  writeFileSync(stampOf(language), JSON.stringify({ sources, files }));
  say(`Built in ${duration(Date.now() - started)}.`);
}

/** Puts a build in place of the one that is served; `kept` are the files that pages of that one name. */
function takeOver({ built, next, assets, kept }) {
  const present = new Set(namesIn(join(next, assets)));
  for (const name of kept) {
    const from = join(built, assets, name);
    if (!present.has(name) && existsSync(from)) cpSync(from, join(next, assets, name));
  }
  for (const part of ["client", "server"]) {
    renameSync(join(built, part), join(next, `former-${part}`));
    renameSync(join(next, part), join(built, part));
  }
  rmSync(next, { recursive: true });
}

function namesIn(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}
