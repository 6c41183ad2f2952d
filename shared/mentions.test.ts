import { expect, test } from "vitest";
import { findMentions } from "#shared/mentions.ts";

const named = (text: string) => findMentions(text).map(({ username }) => username);

test.each([
  ["@ana", ["ana"]],
  ["hello @Ana_B, and (@bob)!", ["ana_b", "bob"]],
  ["@ana: @ana", ["ana", "ana"]],
  ["«@ana»—@bob…", ["ana", "bob"]],
  ["שלום @ana שלום", ["ana"]],
])("names in %s are mentions", (text, names) => {
  expect(named(text)).toEqual(names);
});

test.each([
  "ana@example.org",
  "@an",
  `@${"a".repeat(31)}`,
  "@ana@example.org",
  "@anaé",
  "x@ana",
  "https://example.org/@ana",
  "@@ana",
  "@",
  "",
])("%s names nobody", (text) => {
  expect(named(text)).toEqual([]);
});

test("ends in time linear in its length", () => {
  expect(named("@".repeat(100_000))).toEqual([]);
  expect(named("@ab ".repeat(50_000))).toEqual([]);
});
