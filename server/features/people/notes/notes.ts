import { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import { isId, newId as freshId, type NewId } from "#server/platform/db/ids.ts";
import * as queries from "#server/features/people/notes/notes.queries.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { checkedText } from "#shared/text.inputs.ts";
import { lengthProblem } from "#shared/text.ts";
import type { Viewer } from "#shared/views.ts";

/** What somebody notes about a person; empty: nothing any more. */
const noteInput = z.object({
  note: checkedText((text) => lengthProblem("A note", text, limits.note)),
});

/** What a member writes about others for themselves. Profiles and relations answer it, to its writer alone. */
export function createNotes({ db, newId = freshId }: { db: Database; newId?: NewId }) {
  /**
   * Without words there is none any more, which works for everybody. Two written at once may be one more than
   * there can be. Refuses with not-found, input-invalid and notes-full.
   */
  async function set(viewer: Viewer, accountId: string, typed: string): Promise<{ note: string }> {
    const { note } = parseInput(noteInput, { note: typed });
    const aboutId = isId(accountId) ? accountId.toLowerCase() : null;
    if (aboutId === null || aboutId === viewer.id) throw refuse("not-found");
    const pair = { accountId: viewer.id, aboutId };
    if (note === "") {
      await queries.deleteNote(db, pair);
      return { note };
    }
    const most = limits.notes;
    const written = await queries.writeNote(db, { ...pair, id: newId(), body: note, most });
    if (written === null) throw refuse("not-found");
    if (!written) throw refuse("notes-full");
    return { note };
  }

  return { set };
}
