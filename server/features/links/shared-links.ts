import type { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import { isId, type NewId } from "#server/platform/db/ids.ts";
import { hashPassword } from "#server/features/identity/index.ts";
import { hashToken, newToken } from "#server/platform/tokens.ts";
import type { WriteRates } from "#server/features/limits/index.ts";
import * as queries from "#server/features/links/shared-links.queries.ts";
import { albumAudiences, type AlbumAudience } from "#shared/albums.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import { found, refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import { limits } from "#shared/limits.ts";
import { audiences, type ShownAudience } from "#shared/posts.ts";
import { linkDays } from "#shared/link-kinds.ts";
import { type SharedLink } from "#shared/shared-links.ts";
import { endOfDay, sharedLinkInput } from "#shared/shared-links.inputs.ts";
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
    const { lasts, until, timeZone, password, ...wanted } = parseInput(sharedLinkInput, input);
    const { kind, audience, downloads, previews } = wanted;
    const token = newToken(tokenBytes);
    const row = {
      audience,
      downloads,
      previews,
      account_id: viewer.id,
      id: newId(),
      kind,
      token_hash: hashToken(token),
      password_hash: password ? await hashPassword(password) : null,
      expires_at:
        lasts === "date" ? new Date(endOfDay(until ?? "", timeZone)) : endOf(linkDays[lasts]),
    };
    const link = await db.transaction(async () => {
      if ((await queries.countLiving(db, viewer.id)) >= limits.sharedLinks.most) {
        throw refuse("shared-links-full");
      }
      await queries.insertLink(db, { ...row, ...(await subjectOf(db, viewer, wanted)) });
      await writes.count(viewer, "links");
      return found((await queries.linksOf(db, viewer.id, row.id))[0]);
    });
    return { link, address: `${publicUrl}/l/${token}` };
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
    /** What a link to one of the member's albums would show. Refuses with not-found. */
    albumOf: async (viewer: Viewer, id: string) =>
      found(isId(id) ? await queries.findAlbumToShare(db, viewer.id, id) : null),
    sweep: () => queries.deleteExpired(db),
  };
}

type Subject = Pick<
  z.infer<typeof sharedLinkInput>,
  "kind" | "number" | "album" | "audience" | "albumAudience"
>;

/** What a link shows, as far as its maker confirmed for whom that is. Refuses with not-found, shared-link-audience. */
async function subjectOf(
  db: Database,
  { id: accountId }: Viewer,
  { kind, number, album, ...confirmed }: Subject,
): Promise<Pick<queries.NewLink, "post_id" | "album_id" | "album_audience">> {
  const none = { post_id: null, album_id: null, album_audience: null };
  if (kind !== "post" && confirmed.audience === "only-me") throw refuse("shared-link-audience");
  if (kind === "post") {
    const post = found(await queries.lockOwnPost(db, accountId, number ?? 0));
    checkConfirmed(audiences, confirmed.audience, post);
    return { ...none, post_id: post.id };
  }
  if (kind === "album") {
    const shown = found(await queries.lockOwnAlbum(db, accountId, album ?? ""));
    checkConfirmed(albumAudiences.toReversed(), confirmed.albumAudience, shown);
    return { ...none, album_id: shown.id, album_audience: confirmed.albumAudience };
  }
  return none;
}

/** Refuses with shared-link-audience what is for fewer people than was confirmed. */
function checkConfirmed<Name extends ShownAudience | AlbumAudience>(
  widestFirst: readonly Name[],
  confirmed: Name,
  { audience, isPrivate }: { audience: Name; isPrivate: boolean },
): void {
  const needed = effectiveAudience(audience, isPrivate);
  if (widestFirst.findIndex((name) => name === needed) > widestFirst.indexOf(confirmed)) {
    throw refuse("shared-link-audience");
  }
}

const endOf = (days: number | null) => (days === null ? null : new Date(Date.now() + days * dayMs));
