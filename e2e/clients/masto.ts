/**
 * The end-to-end suite of masto, a client library for JavaScript, against its own Postcard. MASTO_REPOSITORY
 * names a clone (or the address of one), MASTO_VERSION the tag. Its own pool makes accounts with Mastodon's
 * commands in a container: ours gives it accounts that an app signed up.
 */
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { appWithAccounts, program, runSuite, unpack } from "./server.ts";

const { MASTO_REPOSITORY: source, MASTO_VERSION: version = "v8.0.0" } = process.env;
/** No test needs more than two accounts at a time; files run one after the other. */
const people = Array.from({ length: 6 }, (_, index) => `masto_${index}`);

/** Its own project "e2e" without the setup that needs Mastodon's administrator. */
const config = `import { defineConfig } from "vitest/config";
export default defineConfig({
  test: {
    globals: true,
    pool: "threads",
    fileParallelism: false,
    testTimeout: 60_000,
    environment: "./environment.ts",
    setupFiles: [
      "./test-utils/setup-files/vitest-extend-expect.ts",
      "./test-utils/setup-files/vitest-polyfills.ts",
      "./test-utils/setup-files/vitest-sessions.ts",
    ],
    include: ["tests/**/*.spec.ts"],
  },
});
`;

await runSuite(
  "masto",
  async () => (source ? null : "MASTO_REPOSITORY does not name a clone of it."),
  async ({ url, folder }) => {
    const cwd = join(folder, "masto");
    await unpack(source ?? "", version, cwd);
    if (
      (await program(
        "npm",
        ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
        { cwd },
      )) !== 0
    )
      throw new Error("What masto's suite needs cannot be installed.");
    const { app, people: tokens } = await appWithAccounts(url, people);
    await writeFile(join(cwd, "environment.ts"), environment({ url, app, tokens }));
    await writeFile(join(cwd, "postcard.config.ts"), config);
    const vitest = join(cwd, "node_modules/vitest/vitest.mjs");
    const words = [vitest, "run", "--config", "postcard.config.ts", "--reporter", "verbose"];
    return program(process.execPath, [...words, ...process.argv.slice(2)], {
      cwd,
      env: { PATH: `${dirname(process.execPath)}:${process.env["PATH"]}` },
    });
  },
);

/** What its vitest-environment.ts gives the tests. No account here is an administrator of its API. */
function environment({ url, app, tokens }: { url: string; app: object; tokens: object[] }) {
  return `import { createRestAPIClient } from "./src/index.js";
const url = ${JSON.stringify(url)};
const camel = (given) => Object.fromEntries(Object.entries(given).map(([key, value]) => [
  key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()), value]));
const free = ${JSON.stringify(tokens)}.map(camel);
export default {
  name: "postcard",
  viteEnvironment: "ssr",
  async setup() {
    globalThis.__misc__ = {
      url,
      app: camel(${JSON.stringify(app)}),
      instance: await createRestAPIClient({ url }).v1.instance.fetch(),
      adminToken: free[0],
      tokens: {
        async acquire() {
          const token = free.shift();
          if (!token) throw new Error("Nobody is left in the pool.");
          return token;
        },
        async release(token) { free.push(token); },
      },
    };
    return { teardown() {} };
  },
};
`;
}
