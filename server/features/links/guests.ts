import type { Logger } from "pino";
import { isImageKey, type ImageStore } from "#server/adapters/image-store/image-store.ts";
import { toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { hashToken } from "#server/platform/tokens.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import { findAlbumItem } from "#server/features/posts/index.ts";
import { createGuestEntry, type Guest } from "#server/features/links/guest-entry.ts";
import * as queries from "#server/features/links/guests.queries.ts";
import { createLinkCookie } from "#server/features/links/link-cookie.ts";
import { createZips } from "#server/features/links/zips.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { guestPhoto, wholeAlbum, type GuestPost } from "#shared/shared-links.ts";
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
  const { linkAt, ...entry } = createGuestEntry({ db, attempts, cookies });

  /** What a messenger may show of an address: nothing without its maker's consent, no photo behind a password. */
  async function preview(token: string, ip: string) {
    const link = await linkAt(token, ip);
    if (!link.previews) return null;
    const [post] = link.passwordHash === null ? (await posts(db, link, null)).items : [];
    const photo = post?.sensitive ? undefined : post?.pictures[0];
    return { maker: link.maker.name, photo: photo ?? null };
  }

  /** The files of a photo, for who has the link's cookie and gave its password; null for everybody else. */
  async function photo(id: string, key: string, { cookieHeader }: Pick<Guest, "cookieHeader">) {
    const held = isId(id) && isImageKey(key) ? cookies.read(id, cookieHeader) : null;
    if (!held) return null;
    const found = await queries.findPhoto(db, { id, tokenHash: hashToken(held.token), key });
    return found && cookies.isProven({ id, ...found }, held) ? found : null;
  }

  /** The link of an open page. Refuses with shared-link-ended. */
  async function linkOf(id: string, guest: Pick<Guest, "cookieHeader">) {
    const opened = await entry.find(id, guest);
    if (!opened || opened.locked) throw refuse("shared-link-ended");
    return opened.link;
  }

  const zips = createZips({ ...deps, photo });

  return {
    ...entry,
    preview,
    photo,
    posts: (link: queries.FoundLink, cursor: string | null) => posts(db, link, cursor),
    onePhoto: (link: queries.FoundLink, postId: string) => onePhoto(db, link, postId),
    /** A further page of an open link. Refuses with shared-link-ended. */
    more: async (id: string, cursor: string | null, guest: Pick<Guest, "cookieHeader">) =>
      posts(db, await linkOf(id, guest), cursor),
    /** What a guest reports: a post that the link shows, or its maker. Refuses others with shared-link-ended. */
    reported: async (id: string, postId: string | undefined, guest: Guest) =>
      reported(db, await linkOf(id, guest), postId),
    /** All its photos as a zip, piece by piece. Refuses with shared-link-ended, not-found, zips-running. */
    zip: async (id: string, guest: Guest) =>
      zips.begin({ id, guest, photos: await photosOfZip(db, await linkOf(id, guest)) }),
    /** Whether a program asks that looks at addresses for somebody else. */
    isPreview: (userAgent: string) => fetchesPreviews.test(userAgent),
  };
}

const withAddresses = (link: queries.FoundLink, post: GuestPost): GuestPost => ({
  ...post,
  pictures: post.pictures.map((photo) => guestPhoto(link.id, photo)),
});

/** What it shows, in its order, with photos at addresses of the link. */
async function posts(
  db: Database,
  link: queries.FoundLink,
  cursor: string | null,
): Promise<Page<GuestPost>> {
  const size = link.kind === "album" ? limits.albums.photosPage : limits.sharedLinks.page;
  const rows = await queries.postsOf(db, link, { cursor, limit: size + 1 });
  const { items, nextCursor } = toPage(rows, size);
  return { items: items.map((post) => withAddresses(link, post)), nextCursor };
}

/** A post of an album, and the id of the next one; null where the link does not show it. */
async function onePhoto(db: Database, link: queries.FoundLink, postId: string) {
  const album = { ownerId: link.accountId, albumId: link.albumId ?? "" };
  const item = link.albumId && isId(postId) ? await findAlbumItem(db, album, postId) : null;
  if (!item) return null;
  const from = { position: item.position, postId, included: true } as const;
  const [post, next] = await queries.postsOf(db, link, { cursor: null, from, limit: 2 });
  if (post?.item.id !== postId) return null;
  return { post: withAddresses(link, post.item), next: next?.item.id ?? null };
}

async function reported(db: Database, link: queries.FoundLink, postId: string | undefined) {
  const makerId = link.accountId;
  if (!postId) return { makerId, about: { kind: "account" as const, accountId: makerId } };
  const { albumId } = link;
  if (postId === wholeAlbum && albumId)
    return { makerId, about: { kind: "album" as const, albumId } };
  const post = isId(postId) ? await queries.findReported(db, link, postId) : null;
  if (!post) throw refuse("shared-link-ended");
  return { makerId, about: { kind: "post" as const, ...post } };
}

async function photosOfZip(db: Database, link: queries.FoundLink) {
  if (!link.downloads) throw refuse("not-found");
  const listed = await queries.photosOf(db, link, limits.sharedLinks.zipPhotos);
  // Of a post that it shows no more, or of words alone.
  if (listed.length === 0) throw refuse("shared-link-ended");
  return listed;
}
