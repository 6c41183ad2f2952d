import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import type { Features } from "#server/features/index.ts";

type Deps = { features: Pick<Features, "mutedWords"> };

const { forMembers } = chapter("Blocks and mutes");
const path = "/api/muted-words";
const word = z.object({ word: z.string().describe("60 characters at most, on one line") });
const response = {
  200: z.object({ items: z.array(z.string()).describe("as they were typed, oldest first") }),
};

const declared = {
  list: forMembers([], {
    summary: "Words you muted",
    description:
      "Posts by others with one of them stay out of your home feed, of Explore and of the " +
      "posts of a tag, you are not notified of them, and comments come marked (`mutedWord`). " +
      "Only you can read this list.",
    response,
  }),
  mute: forMembers(["muted-words-full"], {
    summary: "Mute a word or phrase",
    description:
      "Found as a whole word wherever it stands, without regard to case and accents; in " +
      "scripts that write no spaces, anywhere. 100 at most. Sent again, it changes nothing.",
    querystring: word,
    response,
  }),
  unmute: forMembers([], {
    summary: "Unmute a word or phrase",
    description: "Sent again, it changes nothing.",
    querystring: word,
    response,
  }),
};

/** Words and phrases that the caller does not want to see. */
export function mutedWordCalls({ features: { mutedWords } }: Deps) {
  return {
    list: call("GET", path, declared.list, async (request) => ({
      items: await mutedWords.list(memberOf(request)),
    })),
    mute: call("PUT", path, declared.mute, async (request) => ({
      items: await mutedWords.mute(memberOf(request), request.query.word),
    })),
    unmute: call("DELETE", path, declared.unmute, async (request) => ({
      items: await mutedWords.unmute(memberOf(request), request.query.word),
    })),
  };
}
