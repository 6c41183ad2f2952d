import { z } from "zod";
import { mutedWordProblem, wordFilterProblem } from "#shared/muted-words.ts";
import { cleanName } from "#shared/text.ts";
import { checkedText } from "#shared/text.inputs.ts";

/** A word or phrase to mute, or to unmute: one line. */
export const mutedWordInput = z.object({
  word: checkedText(mutedWordProblem).transform(cleanName),
});

/** The title of a group of them, which apps give. */
export const wordFilterInput = z.object({
  title: checkedText(wordFilterProblem).transform(cleanName),
});
