import { defineConfig } from "vitest/config";

/**
 * The machine's PostgreSQL runs what its version can change: what is kept in tables and read from
 * them. The tests of our own processes bring their own; the histories go through statements that
 * others go through as well.
 */
const onMachinesPostgres = Boolean(process.env["TEST_POSTGRES_BIN"]);
const everywhere = ["{server,shared,app,scripts,demo,bench,docs}/**/*.test.{ts,tsx}"];
const onTables = ["server/{features,db}/**/*.test.ts", "server/jobs.test.ts"];
const seenElsewhere = [
  "**/*.process.test.ts",
  "server/features/documents/histories.test.ts",
  "server/features/images/render.test.ts",
];

export default defineConfig({
  test: {
    include: onMachinesPostgres ? onTables : everywhere,
    exclude: onMachinesPostgres ? seenElsewhere : [],
    globalSetup: ["server/test/global-setup.ts"],
    setupFiles: ["server/test/answers.ts"],
    // Two cores have room for four: tests of processes wait more than they work.
    maxWorkers: 4,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
