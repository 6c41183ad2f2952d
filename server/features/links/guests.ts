import type { Logger } from "pino";
import { isImageKey, type ImageStore } from "#server/adapters/image-store/image-store.ts";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { hashToken } from "#server/platform/tokens.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { createGuestEntry, type Guest } from "#server/features/links/guest-entry.ts";
import * as queries from "#server/features/links/guests.queries.ts";
import { createLinkCookie } from "#server/features/links/link-cookie.ts";
import { createZips } from "#server/features/links/zips.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { guestPhoto, type GuestPost } from "#shared/shared-links.ts";
import type { Page } from "#shared/views.ts";

type Deps = {
  db: Database;
  secret: string;
  secure: boolean;
  limits: Pick<ReturnType<typeof createAttemptLimits>, "count" | "countAll">;
  store: Pick<ImageStore, "open">;
  log: Pick<Logger, "warn">;
};

/** Programs of messengers that look at an address to show a preview, by their own names; and search engines. */
const fetchesPreviews =
  /bot\b|bot\/|crawl|spider|preview|facebookexternalhit|meta-external|whatsapp|embedly|slurp|vkshare|mastodon|pleroma/i;

/**
 * What somebody without an account sees by a link. Every read asks again whether the link opens and what it shows:
 * ended, suspended and narrowed act at once, on pages, photos and zips alike. An address of a page or a photo opens
 * nothing without the link's cookie.
 */
export function createGuests(deps: Deps) {
  const { db, limits: attempts } = deps;
  const cookies = createLinkCookie(deps);
  const entry = createGuestEntry({ db, attempts, cookies });

  /** What a messenger may show of an address: nothing without its maker's consent, no photo behind a password. */
  async function preview(token: string, ip: string) {
    const link = await entry.linkAt(token, ip);
    if (!link.previews) return null;
    const [post] = link.passwordHash === null ? (await posts(link, null)).items : [];
    const photo = post?.sensitive ? undefined : post?.pictures[0];
    return { maker: link.maker.name, photo: photo ?? null };
  }

  /** What it shows, newest first, with photos at addresses of the link. */
  async function posts(link: queries.FoundLink, cursor: string | null): Promise<Page<GuestPost>> {
    const size = limits.sharedLinks.page;
    const rows = await queries.postsOf(db, link, { below: idBelow(cursor), limit: size + 1 });
    const { items, nextCursor } = toPage(rows, size);
    const shown = items.map((post) => ({
      ...post,
      pictures: post.pictures.map((photo) => guestPhoto(link.id, photo)),
    }));
    return { items: shown, nextCursor };
  }

  /** The files of a photo, for who has the link's cookie and gave its password; null for everybody else. */
  async function photo(id: string, key: string, { cookieHeader }: Pick<Guest, "cookieHeader">) {
    const held = isId(id) && isImageKey(key) ? cookies.read(id, cookieHeader) : null;
    if (!held) return null;
    const found = await queries.findPhoto(db, { id, tokenHash: hashToken(held.token), key });
    return found && cookies.isProven({ id, ...found }, held) ? found : null;
  }

  /** What a guest reports: a post that the link shows, or its maker. Null for what it doesn't show. */
  async function reported(id: string, postId: string | undefined, guest: Guest) {
    const opened = await entry.find(id, guest);
    if (!opened || opened.locked) return null;
    const { link } = opened;
    const makerId = link.accountId;
    if (!postId) return { makerId, about: { kind: "account" as const, accountId: makerId } };
    const number = isId(postId) ? await queries.numberOf(db, link, postId) : null;
    const author = link.maker.username;
    return number === null ? null : { makerId, about: { kind: "post" as const, author, number } };
  }

  const zips = createZips({ ...deps, photo });

  /** All its photos as a zip, piece by piece. Refuses with shared-link-ended, not-found, zips-running. */
  async function zip(id: string, guest: Guest) {
    const opened = await entry.find(id, guest);
    if (!opened || opened.locked) throw refuse("shared-link-ended");
    const { link } = opened;
    if (!link.downloads) throw refuse("not-found");
    const listed = await queries.photosOf(db, link, {
      below: idBelow(null),
      limit: limits.sharedLinks.zipPhotos,
    });
    // Of a post that it shows no more, or of words alone.
    if (listed.length === 0) throw refuse("shared-link-ended");
    return zips.begin({ id, guest, photos: listed });
  }

  return {
    enter: entry.enter,
    find: entry.find,
    look: entry.look,
    unlock: entry.unlock,
    preview,
    posts,
    photo,
    reported,
    zip,
    /** Whether a program asks that looks at addresses for somebody else. */
    isPreview: (userAgent: string) => fetchesPreviews.test(userAgent),
  };
}
