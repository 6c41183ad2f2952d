import type { Logger } from "pino";
import { isImageKey, type ImageStore } from "#server/adapters/image-store/image-store.ts";
import { idBelow, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { networkOf } from "#server/platform/networks.ts";
import { hashToken, verifyPassword } from "#server/features/identity/index.ts";
import type { createAttemptLimits } from "#server/features/limits/index.ts";
import * as queries from "#server/features/links/guests.queries.ts";
import { createLinkCookie, type Held } from "#server/features/links/link-cookie.ts";
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

/** A link with the cookie that opens it; `locked` until its password is given. */
type Opened = { link: queries.FoundLink; held: Held; locked: boolean };

/** Who asks, as far as is known of a guest. */
export type Guest = { ip: string; cookieHeader: string };

const tokenForm = /^[\w-]{22}$/;

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

  /** The link of a token; guesses are counted by network. Refuses with shared-link-ended, too-many-attempts. */
  async function linkAt(token: string, ip: string): Promise<queries.FoundLink> {
    const attempt = await attempts.count("shared-link-guesses", networkOf(ip));
    const link = tokenForm.test(token)
      ? await queries.findLink(db, { tokenHash: hashToken(token) })
      : null;
    if (!link) throw refuse("shared-link-ended");
    await attempt.refund();
    return link;
  }

  /** The address was opened: the link's id, and the cookie in place of its token. */
  async function enter(token: string, { ip, cookieHeader }: Guest) {
    const link = await linkAt(token, ip);
    const before = cookies.read(link.id, cookieHeader);
    const proof = before?.proof ?? "";
    return { id: link.id, cookie: cookies.write(link, { token, proof, unused: true }) };
  }

  /** What a messenger may show of an address: nothing without its maker's consent, no photo behind a password. */
  async function preview(token: string, ip: string) {
    const link = await linkAt(token, ip);
    if (!link.previews) return null;
    const [post] = link.passwordHash === null ? (await posts(link, null)).items : [];
    const photo = post?.sensitive ? undefined : post?.pictures[0];
    return { maker: link.maker.name, photo: photo ?? null };
  }

  /** Null where the cookie of this link is missing, or the link opens no more. */
  async function find(id: string, { cookieHeader }: Pick<Guest, "cookieHeader">) {
    const held = isId(id) ? cookies.read(id, cookieHeader) : null;
    const link = held && (await queries.findLink(db, { id }));
    if (!held || !link || !cookies.isOf(link, held)) return null;
    return { link, held, locked: !cookies.isProven(link, held) } satisfies Opened;
  }

  /**
   * The same with the cookie for a browser that looked at it for the first time, which is counted. Programs that fetch
   * previews keep no cookies, so none of them is.
   */
  async function look(id: string, guest: Pick<Guest, "cookieHeader">) {
    const opened = await find(id, guest);
    if (!opened || opened.locked || !opened.held.unused) return { opened, cookie: null };
    await queries.countOpened(db, opened.link);
    return { opened, cookie: cookies.write(opened.link, { ...opened.held, unused: false }) };
  }

  /**
   * Takes the link's password; answers the cookie that says so. Wrong ones count against the link and the network, as
   * those of sign-ins do. Refuses with shared-link-ended, wrong-link-password, too-many-attempts.
   */
  async function unlock(
    id: string,
    password: string,
    { ip, cookieHeader }: Guest,
  ): Promise<string> {
    const opened = await find(id, { cookieHeader });
    if (!opened) throw refuse("shared-link-ended");
    const { link, held } = opened;
    const attempt = await attempts.countAll(
      ["network-failures", networkOf(ip)],
      ["shared-link-passwords", link.id],
    );
    const bounded = password.slice(0, 4 * limits.sharedLinks.password.most);
    if (
      link.passwordHash &&
      !(await verifyPassword({ hash: link.passwordHash, password: bounded }))
    ) {
      throw refuse("wrong-link-password");
    }
    await attempt.refund();
    return cookies.write(link, { ...held, proof: cookies.proofOf(link) });
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
    const opened = await find(id, guest);
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
    const opened = await find(id, guest);
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
    enter,
    preview,
    find,
    look,
    unlock,
    posts,
    photo,
    reported,
    zip,
    /** Whether a program asks that looks at addresses for somebody else. */
    isPreview: (userAgent: string) => fetchesPreviews.test(userAgent),
  };
}
