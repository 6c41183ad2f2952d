import type { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import { isId, type NewId } from "#server/platform/db/ids.ts";
import { hashPassword } from "#server/features/identity/index.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import * as queries from "#server/features/links/shared-links.queries.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { audiences, type Audience } from "#shared/posts.ts";
import { linkDays } from "#shared/link-kinds.ts";
import { type SharedLink } from "#shared/shared-links.ts";
import { sharedLinkInput } from "#shared/shared-links.inputs.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  newId: NewId;
  writes: Pick<WriteRates, "count">;
  /** the address people use, without a slash at the end */
  publicUrl: string;
};

/** 128 bits, as 22 characters of an address: with an end and counted guesses they need no more. */
const tokenBytes = 16;

const dayMs = 24 * 60 * 60 * 1000;

/** The links of a member: what they show is decided at every read (guests.ts), by what was confirmed here. */
export function createSharedLinks({ db, newId, writes, publicUrl }: Deps) {
  /**
   * Makes a link; its address is answered once, and stored nowhere. Refuses with not-found,
   * shared-link-audience where a post is for fewer people than was confirmed, shared-links-full, too-many-writes.
   */
  async function make(
    viewer: Viewer,
    input: z.input<typeof sharedLinkInput>,
  ): Promise<{ link: SharedLink; address: string }> {
    const { kind, number, lasts, until, password, ...asked } = parseInput(sharedLinkInput, input);
    const token = newToken(tokenBytes);
    const row = {
      ...asked,
      account_id: viewer.id,
      id: newId(),
      kind,
      token_hash: hashToken(token),
      password_hash: password ? await hashPassword(password) : null,
      expires_at: lasts === "date" ? new Date(`${until}T23:59:59Z`) : endOf(linkDays[lasts]),
    };
    const link = await db.transaction(async () => {
      if ((await queries.countLiving(db, viewer.id)) >= limits.sharedLinks.most) {
        throw refuse("shared-links-full");
      }
      const post_id = await subjectOf(viewer, row.audience, number);
      await queries.insertLink(db, { ...row, post_id });
      await writes.count(viewer, "links");
      return found((await queries.linksOf(db, viewer.id, row.id))[0]);
    });
    return { link, address: `${publicUrl}/l/${token}` };
  }

  /** The post of a link to one, where its audience was confirmed. */
  async function subjectOf(viewer: Viewer, confirmed: Audience, number?: number) {
    if (number === undefined) {
      if (confirmed === "only-me") throw refuse("shared-link-audience");
      return null;
    }
    const { id, audience, isPrivate } = found(await queries.lockOwnPost(db, viewer.id, number));
    const needed = effectiveAudience(audience, isPrivate);
    if (audiences.indexOf(needed) > audiences.indexOf(confirmed)) {
      throw refuse("shared-link-audience");
    }
    return id;
  }

  /** Ends one at once, with its page, photos and zips. Ended already: the same. */
  async function end(viewer: Viewer, id: string): Promise<void> {
    if (!isId(id) || !(await queries.deleteLink(db, viewer.id, id))) throw refuse("not-found");
  }

  return {
    make,
    end,
    /** Those that open, newest first. */
    list: (viewer: Viewer): Promise<SharedLink[]> => queries.linksOf(db, viewer.id),
    /** How many of the member's posts each audience has: for the question what a link may show. */
    countsOf: async (viewer: Viewer) => found(await queries.countsOf(db, viewer.id)),
    sweep: () => queries.deleteExpired(db),
  };
}

const endOf = (days: number | null) => (days === null ? null : new Date(Date.now() + days * dayMs));
