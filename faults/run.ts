import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { killLeftovers } from "#server/test/programs.ts";
import { endFile } from "#server/test/after-file.ts";
import { removeAll } from "./target.ts";
import { isBad, skipped, seconds, toLine, toTable, type Fault, type Result } from "./result.ts";
import { archiveFolder } from "./kinds/archive-folder.ts";
import { archiving } from "./kinds/archiving.ts";
import { clock } from "./kinds/clock.ts";
import { database } from "./kinds/database.ts";
import { crowds } from "./kinds/crowds.ts";
import { disk } from "./kinds/disk.ts";
import { kills } from "./kinds/kills.ts";
import { hangs } from "./kinds/hangs.ts";
import { migrations } from "./kinds/migrations.ts";
import { mounts } from "./kinds/mounts.ts";
import { restoring } from "./kinds/restoring.ts";
import { services } from "./kinds/services.ts";
import { sigterm } from "./kinds/sigterm.ts";
import { storms } from "./kinds/storms.ts";

const every: Fault[] = [
  ...kills,
  hangs,
  sigterm,
  storms,
  clock,
  database,
  disk,
  migrations,
  mounts,
  services,
  crowds,
  archiving,
  archiveFolder,
  restoring,
];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** what `npm test -- faults` runs: a minute of it */
    short: { type: "boolean", default: false },
    kills: { type: "string", default: "50" },
    /** writes the lines of the faults that ran into docs/faults.md */
    write: { type: "boolean", default: false },
    /** writes the results as JSON into this file */
    report: { type: "string" },
  },
});

const size = { short: options.short, kills: options.short ? 2 : Number(options.kills) };
const wanted = every.filter(({ name, short }) =>
  positionals.length > 0 ? positionals.some((word) => name.includes(word)) : short || !size.short,
);
const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    killLeftovers();
    void removeAll().then(() => process.exit(130));
  });
}

const results: Result[] = [];
for (const { name, run } of wanted) {
  const started = performance.now();
  say(`${name} …`);
  const outcomes = await run(size).catch((error: Error): Result[] => [
    { ...skipped(name, ""), left: undefined, wrong: [error.stack ?? error.message] } as never,
  ]);
  for (const result of outcomes) {
    results.push(result);
    if (options.write) writeLine(result);
    for (const sentence of [...result.lost, ...result.drift, ...result.wrong].slice(0, 12)) {
      say(`  ${result.fault}: ${sentence}`);
    }
    for (const control of result.controls) say(`  ${result.fault}: control: ${control}`);
  }
  say(`  ${seconds(performance.now() - started)}`);
}
killLeftovers();
await endFile();
await removeAll();

say(`\n${toTable(results)}`);
const failed = results.filter(isBad);
if (options.report)
  writeFileSync(
    options.report,
    JSON.stringify(results.map((result) => ({ ...result, bad: isBad(result) }))),
  );
if (failed.length > 0) say(`\nFailed: ${failed.map(({ fault }) => fault).join(", ")}`);
process.exit(failed.length > 0 ? 1 : 0);

/** Each line of the page stands alone, because the programme may run in parts. */
function writeLine(result: Result): void {
  const page = new URL("../docs/faults.md", import.meta.url);
  const text = readFileSync(page, "utf8");
  const [before = "", rest = ""] = text.split("<!-- end of faults -->", 2);
  const lines = before.trimEnd().split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${result.fault} `));
  if (at === -1) lines.push(toLine(result));
  else lines[at] = toLine(result);
  writeFileSync(page, `${lines.join("\n")}\n\n<!-- end of faults -->${rest}`);
}
