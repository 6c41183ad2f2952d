import { defineConfig } from "@playwright/test";

// npm test starts the server and says where it is; see scripts/lib/test-parts.mjs.
const { POSTCARD_URL, CHROMIUM_PATH, STORIES_OUTPUT } = process.env;
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: "e2e",
  outputDir: STORIES_OUTPUT ?? "test-results",
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json"]],
  use: {
    baseURL: POSTCARD_URL ?? "http://localhost:3000",
    trace: "off",
    launchOptions: {
      ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
      args: [
        ...(isRoot ? ["--no-sandbox"] : []),
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
