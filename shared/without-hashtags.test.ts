import { expect, test } from "vitest";
import { withoutHashtags } from "#shared/without-hashtags.ts";

test.each([
  ["labels at the end go", "The sea in May\n.\n.\n#sea #may2019 #nofilter", "The sea in May"],
  ["within a sentence a tag is a word", "The #sea in May, by #Ines.", "The sea in May, by Ines."],
  ["both", "The #sea in May #travel, #sun", "The sea in May"],
  ["a caption of nothing else", "#sea #may", ""],
  ["wide signs and other scripts", "Am ＃Strand von Ærø #Æther #日本", "Am Strand von Ærø"],
  ["numbers are no tags", "We're #1", "We're #1"],
  ["an address stays", "See https://example.org/?#sea #sea", "See https://example.org/?#sea"],
  ["no tags", "The sea in May ", "The sea in May "],
  ["after the last word nothing goes", "#sea and sun", "sea and sun"],
])("%s", (_, text, plain) => {
  expect(withoutHashtags(text)).toBe(plain);
});

test("in time linear in its length", () => {
  for (const text of ["#a ".repeat(2000), "#".repeat(6000), `https://${"#a".repeat(3000)}`]) {
    expect(withoutHashtags(text).length).toBeLessThanOrEqual(text.length);
  }
});
