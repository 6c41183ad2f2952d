import { expect, test } from "vitest";
import { wordAt } from "#app/features/completion/word-at.ts";

/** `|` is the caret. */
const at = (text: string) => wordAt(text.replace("|", ""), text.indexOf("|"));

test.each([
  ["@|", { mark: "@", typed: "", start: 0 }],
  ["See @an|", { mark: "@", typed: "an", start: 4 }],
  ["See (@An|)", { mark: "@", typed: "An", start: 5 }],
  ["one\n#har| and more", { mark: "#", typed: "har", start: 4 }],
  ["＃har|", { mark: "#", typed: "har", start: 0 }],
  ["שלום #נמ|", { mark: "#", typed: "נמ", start: 5 }],
  ["🌊#wa|", { mark: "#", typed: "wa", start: 2 }],
])("in %s a name or tag is being written", (text, word) => {
  expect(at(text)).toEqual(word);
});

test.each([
  "|",
  "@an |",
  "ana@ex|",
  "C#|",
  "##har|",
  "@@an|",
  "https://example.org/#ab|",
  "@a|na",
  "|@ana",
  "a.@b|",
])("in %s none is", (text) => {
  expect(at(text)).toBeNull();
});

test("looks no further back than any name is long", () => {
  expect(wordAt(`@${"a".repeat(100_000)}`, 100_001)).toBeNull();
});
