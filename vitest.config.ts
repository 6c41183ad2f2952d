import { defineConfig } from "vitest/config";
import { reservedNamesIn } from "./messages/plugin.ts";
import { sourceLanguage } from "./scripts/lib/languages.mjs";
import { everything } from "./server/test/everything.ts";

/**
 * The machine's PostgreSQL runs what its version can change: what is kept in tables and read from
 * them. The tests of our own processes bring their own; the histories go through statements that
 * others go through as well; and what pictures become is no matter of tables.
 */
const onMachinesPostgres = Boolean(process.env["TEST_POSTGRES_BIN"]);
const seenElsewhere = [
  "**/*.process.test.ts",
  "server/compat/documents/histories.test.ts",
  "server/features/posts/images/!(images).test.ts",
];

/**
 * What `npm test` leaves to `npm run test:all`: servers that are started, killed and upgraded, what
 * grows with the number of members, backups that are restored, and the demo's town. The cost that the
 * specification states stays.
 */
const longer = [
  "**/*.process.test.ts",
  "**/!(feed).cost.test.ts",
  "{bench,demo}/**",
  "server/platform/backup/**",
];
const left = [...(onMachinesPostgres ? seenElsewhere : []), ...(everything ? [] : longer)];

/**
 * These share a few processes: each has a database and features of its own, and loading the whole
 * server costs more than most of them do. What changes its process stays apart: decoding (sharp's
 * list of formats is the process's), whatever a test starts and ends, and what passwords cost.
 */
const together = "server/{api,compat,features,http,mastodon}/**/*.test.ts";
const inDecoders = ["bombs-everywhere", "decode-queue", "heic-everywhere", "images", "new-keys"];
const apartThere = [
  "server/**/*.process.test.ts",
  `server/features/posts/images/!(${inDecoders.join("|")}).test.ts`,
  "server/features/identity/{passwords,previous-version,sign-in-work}.test.ts",
];
const apart = [
  "{shared,app,messages,scripts,demo,bench,docs}/**/*.test.{ts,tsx}",
  "server/*.test.ts",
  "server/!(api|compat|features|http|mastodon)/**/*.test.ts",
  ...apartThere,
];
const apartOnTables = [
  "server/platform/{backup,db}/**/*.test.ts",
  "server/platform/jobs.test.ts",
  ...apartThere,
];
const togetherOnTables = "server/{compat,features}/**/*.test.ts";

const setting = {
  setupFiles: ["server/test/answers.ts", "server/test/end-of-file.ts"],
  // Two cores have room for four: tests of processes wait more than they work.
  maxWorkers: 4,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  // Nothing that a test puts in the place of something else outlives it.
  restoreMocks: true,
  unstubGlobals: true,
};

const plugins = [reservedNamesIn(sourceLanguage)];

export default defineConfig({
  test: {
    // One PostgreSQL for all: what the whole run sets up is not in `setting`.
    globalSetup: ["server/test/global-setup.ts"],
    projects: [
      {
        plugins,
        test: {
          ...setting,
          name: "apart",
          include: onMachinesPostgres ? apartOnTables : apart,
          exclude: left,
        },
      },
      {
        plugins,
        test: {
          ...setting,
          name: "together",
          isolate: false,
          setupFiles: [...setting.setupFiles, "server/test/quick-hashes.ts"],
          include: [onMachinesPostgres ? togetherOnTables : together],
          exclude: [...apartThere, ...left],
        },
      },
    ],
  },
});
