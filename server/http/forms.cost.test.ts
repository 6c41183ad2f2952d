import { createUploads } from "#server/http/uploads.ts";
import { readForm } from "#server/http/multipart.ts";
import { cpuRatio } from "#server/test/cpu-ratio.ts";
import { Readable } from "node:stream";
import { expect, test } from "vitest";

// What a form costs to read grows with its bytes: no way to fill a megabyte costs three times as much as
// plain words.
const bytes = 1_000_000;
const fill = (text: string, most = bytes) =>
  text.repeat(Math.ceil(most / text.length)).slice(0, most);

const boundary = "----PostcardTest";
const part = (head: string, text: string) => `--${boundary}\r\n${head}\r\n\r\n${text}\r\n`;
const named = (text: string) => part('Content-Disposition: form-data; name="caption"', text);
const end = `--${boundary}--\r\n`;

/** Far more parameters than are read of a head. */
const parameters = (text: string) =>
  fill(part(`Content-Disposition: form-data; ${fill(text, 15_000)}`, "x"));

const hostile: Record<string, string> = {
  "parts without a head": fill(part("", "")),
  "parts that are neither field nor file": fill(part("X: y", "")),
  "parts without a name": fill(part("Content-Disposition: form-data", "")),
  "fields without a text": fill(named("")),
  "files without a byte": fill(part('Content-Disposition: form-data; name="f"; filename="a"', "")),
  boundaries: fill(`--${boundary}\r\n`),
  "a text full of near-boundaries": named(fill(`\r\n--${boundary.slice(0, -1)}`)),
  "a text full of line ends": named(fill("\r\n")),
  "heads of many lines": fill(part(fill("A: b\r\n", 15_000), "x")),
  "heads of folded lines": fill(part(`A: b${fill("\r\n c", 15_000)}`, "x")),
  "parameters of quotes": parameters('"'),
  "parameters of backslashes": parameters('\\"'),
  "parameters of semicolons": parameters(";"),
  "parameters of encoded names": parameters("a*=utf-8''%41;"),
};

/** None of these forms takes a file, so the folder is never made. */
const uploads = createUploads({ folder: "/nowhere" });

const urlencoded: Record<string, string> = {
  "percent signs": fill("a=" + "%".repeat(bytes)),
  "escapes that end too early": fill("a=" + "%4".repeat(bytes)),
  escapes: fill("a=" + "%41".repeat(bytes)),
  "escaped marks": fill("a=" + "%CC%80".repeat(bytes)),
  "plus signs": fill("a=" + "+".repeat(bytes)),
  "fields without a name": fill("="),
  "as many fields as there may be": fill(`a=${"b".repeat(16_000)}&`),
  "fields without end": fill("a&"),
};

async function read(
  text: string,
  type = `multipart/form-data; boundary=${boundary}`,
): Promise<void> {
  const sent = Buffer.from(text);
  const pieces = function* () {
    for (let at = 0; at < sent.length; at += 65_536) yield sent.subarray(at, at + 65_536);
  };
  const request = Readable.from(pieces(), { objectMode: false });
  const headers = { "content-type": type };
  await readForm(Object.assign(request, { headers }), uploads).catch(() => undefined);
}

test.each(Object.entries(hostile))("a form of %s", async (_what, text) => {
  const words = named(fill("low tide "));
  const ratio = await cpuRatio({
    hostile: () => read(text + end),
    harmless: () => read(words + end),
    rounds: 9,
  });
  expect(ratio).toBeLessThan(3);
});

test.each(Object.entries(urlencoded))("an urlencoded form of %s", async (_what, text) => {
  const type = "application/x-www-form-urlencoded";
  const words = fill(`caption=${"low tide ".repeat(bytes)}`);
  const ratio = await cpuRatio({
    hostile: () => read(text, type),
    harmless: () => read(words, type),
    rounds: 9,
  });
  expect(ratio).toBeLessThan(3);
});
