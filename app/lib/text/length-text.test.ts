import { expect, test } from "vitest";
import { commentProblem } from "#shared/comments.ts";
import { altTextProblem, captionProblem, warningProblem } from "#shared/posts.ts";
import { commentText } from "#app/features/comments/comment-text.ts";
import { altText, captionText, warningText } from "#app/features/posts/composer/post-texts.ts";

test.each([
  ["a comment", commentText, commentProblem],
  ["a caption", captionText, captionProblem],
  ["a content warning", warningText, warningProblem],
  ["a description", altText, altTextProblem],
])("of %s that is too long a page says what the server says", (_, shown, said) => {
  const texts = ["fits", "a".repeat(4000), "a".repeat(300_000), `a${"\u0301".repeat(40_000)}`];
  expect(said(texts[1]!)).toMatch(/ can have [\d,]+ characters; this is [\d,]+ too many\.$/);
  for (const text of texts) expect(shown(text)).toBe(said(text));
});
