import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sayingBy, sentenceBySentence } from "#shared/said-sentences.ts";
import { readMessages } from "./read.ts";

const root = join(import.meta.dirname, "../server");

/** Where stands what operators read about their installation, and why a backup failed. */
const files = [
  "commands/doctor.ts",
  ...["addresses", "backups", "database", "finding", "machine", "mail", "postgres", "reachability"]
    // One by one, as those of backups: others say what is for the command line alone.
    .map((name) => `platform/admin/doctor/${name}.ts`),
  ...["monitor", "needs", "status"].map((name) => `platform/status/${name}.ts`),
  ...["continuous-state", "coverage", "drill", "drill-chain", "drill-folder", "inspect-folder"]
    .concat("mark", "required-space", "ship", "take", "take-base")
    .map((name) => `platform/backup/${name}.ts`),
];

/** For the log, for the command line, or with a number that the page says itself. */
const notThere = new Set([
  "operators could not be told",
  "the doctor could not look",
  " should have begun more than ten minutes ago.",
  "Only ",
  " of disk space is free: new photos are refused.",
  // Another one works on it: that is no failure.
  " has a backup of this time already.",
  "Another drill is under way.",
]);

/** Texts of a source file, as they are written: values stand in `${…}`. */
function literalsIn(file: string): string[] {
  const code = readFileSync(join(root, file), "utf8")
    .replaceAll(/^import [^;]*;|\/\*\*?[\s\S]*?\*\/|^\s*\/\/.*$|sql`[^`]*`/gm, "")
    // A long sentence stands in two lines.
    .replaceAll(/["`] \+\s+["`]/g, "");
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`([^`]*)`/g)].map(
    ([, quoted, template]) => quoted ?? template ?? "",
  );
}

/** What is fixed in them, sentence by sentence. */
const textsOf = (literal: string) =>
  literal
    .split(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}|(?<=[.?]) (?!\p{Ll})/u)
    .filter((text) => /\p{L}+ \p{L}/u.test(text) && !notThere.has(text));

test("each sentence that an operator's page may show is translated", () => {
  const known = Object.keys(readMessages("de", "checks.json"));
  const said = files.flatMap(literalsIn).flatMap(textsOf);
  expect(said.length).toBeGreaterThan(100);
  expect(said.filter((text) => !known.some((key) => key.includes(text.trim())))).toEqual([]);
});

const inGerman = sentenceBySentence(
  sayingBy(readMessages("de", "checks.json"), {
    formOf: ({ other = "" }) => other,
    count: String,
    day: String,
  }),
);

test.each([
  [
    "No backup was taken: The disk of /mnt/a is full: make room. The newest one is of 2026-11-28 03:00 UTC. Postcard tries again every hour; once that is mended, there is nothing else to do.",
    "Es wurde keine Sicherung gemacht: Die Platte von /mnt/a ist voll: Schaff Platz. Die neueste ist von 2026-11-28 03:00 UTC. Postcard versucht es jede Stunde noch einmal; ist das behoben, gibt es nichts weiter zu tun.",
  ],
  [
    "Automatic backups are off. Set BACKUP_DIR to a folder on another disk, or to a bucket, and restart.",
    "Automatische Sicherungen sind aus. Setz BACKUP_DIR auf einen Ordner auf einer anderen Platte oder auf einen Bucket und starte neu.",
  ],
  [
    'A backup was restored for a drill, and isn\'t right: pictures/a/original has 3 bytes instead of 4 once it is restored. Mend what it names, then take and try one with "npm run backup -- --drill".',
    "Eine Sicherung wurde zum Test wiederhergestellt und stimmt nicht: nach der Wiederherstellung: pictures/a/original hat 3 statt 4 Bytes. Behebe, was sie nennt, dann mach und teste eine mit „npm run backup -- --drill“.",
  ],
  [
    "The server's clock is 90 s behind this machine's. Let both follow a time server.",
    "Die Uhr des Servers geht gegenüber der dieses Rechners 90 s nach. Lass beide einem Zeitserver folgen.",
  ],
  [
    '60 pictures, chosen at random, were compared: 2 files are missing or damaged. "npm run admin -- check-pictures" names them; they can come back from a backup.',
    "Verglichen: Eine Auswahl von 60 Fotos. Fehlende oder beschädigte Dateien: 2. „npm run admin -- check-pictures“ nennt sie; aus einer Sicherung können sie zurückkommen.",
  ],
])("%s", (english, german) => {
  expect(inGerman(english)).toBe(german);
});
