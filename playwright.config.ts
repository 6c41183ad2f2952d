import { basename } from "node:path";
import { defineConfig } from "@playwright/test";
import { usualStories } from "./docs/named-tests.ts";
import { everything } from "./server/test/everything.ts";

/** Chromium as root and on a machine without a graphics card; nothing of it calls home. */
const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** By the names that Playwright gives them; `npm run test:all` tells every story. */
const usual = usualStories.map(({ file, title, whole }) => {
  const name = `${basename(file)} ${title}`.replaceAll(/[^\w\s]/g, "\\$&");
  return new RegExp(whole ? `${name}$` : name);
});

/** People's stories, on the built product. `npm test -- stories` starts a server for them. */
export default defineConfig({
  testDir: "e2e",
  testMatch: "*.story.ts",
  ...(everything ? {} : { grep: usual }),
  outputDir: process.env.STORIES_OUTPUT ?? "test-results",
  // Two cores have room for three: a story waits for a third of its time.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // The machine may be slow; the stories are not about speed.
  timeout: 240_000,
  expect: { timeout: 20_000 },
  reporter: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ? [["list"], ["json"]] : [["list"]],
  use: {
    browserName: "chromium",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? "/usr/bin/chromium",
      args: chromiumFlags,
    },
    actionTimeout: 20_000,
    navigationTimeout: 40_000,
    screenshot: "only-on-failure",
  },
});
