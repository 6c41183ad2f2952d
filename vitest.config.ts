import { defineConfig } from "vitest/config";

// The tests of our own processes bring their own PostgreSQL: once is enough.
const onMachinesPostgres = Boolean(process.env["TEST_POSTGRES_BIN"]);

export default defineConfig({
  test: {
    include: ["{server,shared,app,scripts,demo,bench,docs}/**/*.test.{ts,tsx}"],
    exclude: onMachinesPostgres ? ["**/*.process.test.ts"] : [],
    globalSetup: ["server/test/global-setup.ts"],
    setupFiles: ["server/test/answers.ts"],
    // Real databases and processes on small machines.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
