import { z } from "zod";
import { callsOf } from "#server/api/declared-calls.ts";

const { forMembers } = callsOf("Accounts");
const note = z.object({ note: z.string().describe("2,000 characters at most; empty: none") });

/** What the caller notes about others. */
export const noteCalls = {
  set: forMembers("PUT /api/notes/:id", {
    refuses: ["not-found", "notes-full"],
    summary: "Note something about an account",
    description: "For yourself: nobody else can read it. It takes the place of an earlier note.",
    params: z.object({ id: z.uuid().describe("the other account's id") }),
    body: note,
    response: { 200: note },
    handler: ({ notes }, { viewer, params, body }) => notes.set(viewer, params.id, body.note),
  }),
};
