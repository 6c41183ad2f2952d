// npm run screens: takes screenshots for docs/screens. `--states` takes every state into a folder of its own,
// for a review by eye.
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { chromium, type BrowserContextOptions } from "@playwright/test";
import { startPostcard, type PostcardServer } from "../support/postcard-server.ts";
import { album, writeAlbum } from "./album.ts";
import { openCamera } from "./camera.ts";
import { stageOddities } from "./oddities.ts";
import { walk } from "./tour.ts";
import { stage } from "./town.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    states: { type: "boolean", default: false },
    /** parts of the tour, separated by commas */
    only: { type: "string", default: "" },
    width: { type: "string", default: "390,1280" },
    /** a server with a town on it, and an account there: none is started then */
    url: { type: "string" },
    email: { type: "string", default: "" },
    password: { type: "string", default: "" },
  },
});
const folder = values.folder ?? (values.states ? "test-results/screens" : "docs/screens");
const viewports = [
  { width: 390, height: 844 },
  { width: 1280, height: 900 },
].filter(({ width }) => values.width.split(",").includes(`${width}`));

/** Fills the server with a small town; returns one of its accounts. */
async function settleTown({ url, dataDir }: PostcardServer) {
  const child = spawn(process.execPath, ["demo/main.ts", "--people", "24"], {
    env: { ...process.env, PUBLIC_URL: url, DATA_DIR: dataDir },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await text(child.stdout);
  const [, email, password] = /^ {2}(\S+@\S+) {2}(\S+)/m.exec(output) ?? [];
  if (!email || !password) throw new Error(`The town was not built:\n${output}`);
  return { email, password };
}

mkdirSync(folder, { recursive: true });
const server = values.url ? null : await startPostcard();
const url = server?.url ?? values.url ?? "";
try {
  const { email, password } = values;
  const resident = server ? await settleTown(server) : { email, password };
  const staged = await stage(url);
  const oddities = values.states ? await stageOddities(url) : null;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  });
  const camera = openCamera(folder, (name) => values.states || Object.hasOwn(album, name));
  for (const viewport of viewports) {
    const phone = viewport.width < 600;
    const browse = (options: BrowserContextOptions = {}) =>
      browser.newContext({
        baseURL: url,
        viewport,
        // its scrollbars are overlays
        isMobile: phone,
        hasTouch: phone,
        reducedMotion: "reduce",
        timezoneId: "Europe/Lisbon",
        locale: "en-GB",
        ...options,
      });
    const only = values.only.split(",").filter(Boolean);
    const missed = await walk({ url, camera, staged, oddities, resident, browse }, only);
    process.stdout.write(`${viewport.width} px: ${missed.length} missed\n`);
    for (const line of missed) process.stdout.write(`  ${line}\n`);
    if (missed.length > 0) process.exitCode = 1;
  }
  await browser.close();
  if (!values.states) writeAlbum(folder);
} finally {
  await server?.stop();
}
