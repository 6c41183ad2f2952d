import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { chapter } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import type { Features } from "#server/features/index.ts";

type Deps = { features: Pick<Features, "notes"> };

const { forMembers } = chapter("Accounts");
const note = z.object({ note: z.string().describe("2,000 characters at most; empty: none") });

const declared = forMembers(["not-found", "notes-full"], {
  summary: "Note something about an account",
  description: "For yourself: nobody else can read it. It takes the place of an earlier note.",
  params: z.object({ id: z.uuid().describe("the other account's id") }),
  body: note,
  response: { 200: note },
});

/** What the caller notes about others. */
export function noteCalls({ features: { notes } }: Deps) {
  return {
    set: call("PUT", "/api/notes/:id", declared, async (request) =>
      notes.set(memberOf(request), request.params.id, request.body.note),
    ),
  };
}
