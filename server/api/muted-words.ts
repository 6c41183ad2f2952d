import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";

const { forMembers } = callsOf("Blocks and mutes");
const path = "/api/muted-words";
const word = z.object({ word: z.string().describe("60 characters at most, on one line") });
const response = {
  200: z.object({ items: z.array(z.string()).describe("as they were typed, oldest first") }),
};

/** Words and phrases that the caller does not want to see. */
export const mutedWordCalls = {
  list: forMembers(`GET ${path}`, {
    summary: "Words you muted",
    description:
      "Posts by others with one of them stay out of your home feed, of Explore and of the " +
      "posts of a tag, you are not notified of them, and comments come marked (`mutedWord`). " +
      "Only you can read this list.",
    response,
    handler: async ({ mutedWords }, { viewer }) => ({
      items: await mutedWords.list(viewer),
    }),
  }),
  mute: forMembers(`PUT ${path}`, {
    refuses: ["muted-words-full"],
    summary: "Mute a word or phrase",
    description:
      "Found as a whole word wherever it stands, without regard to case and accents; in " +
      "scripts that write no spaces, anywhere. 100 at most. Sent again, it changes nothing.",
    querystring: word,
    response,
    handler: async ({ mutedWords }, { viewer, query }) => ({
      items: await mutedWords.mute(viewer, query.word),
    }),
  }),
  unmute: forMembers(`DELETE ${path}`, {
    summary: "Unmute a word or phrase",
    description: "Sent again, it changes nothing.",
    querystring: word,
    response,
    handler: async ({ mutedWords }, { viewer, query }) => ({
      items: await mutedWords.unmute(viewer, query.word),
    }),
  }),
};
