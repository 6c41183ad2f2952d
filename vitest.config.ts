import { defineConfig } from "vitest/config";

const all = "{server,shared,app,scripts,demo,bench,docs}/**/*.test.{ts,tsx}";
/** Tests of our own processes, which bring their own PostgreSQL. */
const processes = "**/*.process.test.ts";

/**
 * The machine's PostgreSQL runs what its version can change: what is kept in tables and read from
 * them. The calls' matrix and the histories go through the same statements once more.
 */
const onMachinesPostgres = Boolean(process.env["TEST_POSTGRES_BIN"]);
const onTables = ["server/{features,db}/**/*.test.ts", "server/jobs.test.ts"];
const seenElsewhere = [
  "server/features/documents/histories.test.ts",
  "server/features/images/render.test.ts",
];

export default defineConfig({
  test: {
    // One PostgreSQL for all of them.
    globalSetup: ["server/test/global-setup.ts"],
    // Real databases and processes on small machines.
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "in one process",
          include: onMachinesPostgres ? onTables : [all],
          exclude: [processes, ...(onMachinesPostgres ? seenElsewhere : [])],
          // Each worker loads the features once, not once a file: a quarter less processor time.
          isolate: false,
        },
      },
      ...(onMachinesPostgres
        ? []
        : [{ extends: true as const, test: { name: "processes", include: [processes] } }]),
    ].map((project) => ({
      ...project,
      test: {
        ...project.test,
        globalSetup: [],
        setupFiles: ["server/test/answers.ts"],
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
