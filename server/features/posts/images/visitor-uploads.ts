import { createHmac, randomBytes } from "node:crypto";
import { bind } from "#server/platform/bind.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import type { CountedAttempt, Storage } from "#server/features/limits/index.ts";
import { networkOf } from "#server/platform/networks.ts";
import { findOwnImage, type StoredImage } from "#server/features/posts/images/images.queries.ts";
import type { Images } from "#server/features/posts/images/images.ts";
import { cheapRefusals, type ReceivedImage } from "#server/features/posts/images/receive.ts";
import { unclaimedForMs } from "#server/features/posts/images/removal.ts";
import * as queries from "#server/features/posts/images/visitor-uploads.queries.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { imageUrl } from "#shared/image-urls.ts";
import type { Viewer } from "#shared/views.ts";

/** A visitor's upload that is about to become an account's. */
type Adopted = { adopted: string };
type File = { path: string };

type Deps = {
  db: Database;
  images: Images;
  /** every origin that this server is known by */
  origins: readonly string[];
  publicUrl: string;
  /** where public images are served: publicUrl, or a separate origin */
  imagesUrl: string;
  secret: string;
  storage?: Pick<Storage, "check">;
  /** Counts one image of a network; refuses with too-many-attempts. */
  countUpload: (network: string) => Promise<CountedAttempt>;
};

const lifetime = unclaimedForMs / 1000;

/**
 * Images uploaded before there is an account, and which upload an address refers to. A visitor's image has
 * an address that shows it only to the browser that uploaded it; its public address is revealed only when a
 * sign-up or a member claims it.
 */
export function createVisitorUploads(deps: Deps) {
  const { db, images } = deps;
  return {
    ...bind(deps, { receive, see, resolveAddress }),
    forSignUp: forSignUp(deps),

    /** The address of an image's largest variant, as programs get it. */
    addressOf: ({ key, widths, width }: Pick<StoredImage, "key" | "widths" | "width">): string =>
      deps.imagesUrl + imageUrl(key, widths.at(-1) ?? width),

    sweep: async (now = new Date()): Promise<void> => {
      const before = new Date(now.getTime() - unclaimedForMs);
      await images.removeFiles(await queries.deleteVisitorImages(db, before));
    },
  };
}

const hashOf = ({ secret }: Deps, token: string) =>
  createHmac("sha256", secret).update(`visitor-upload:${token}`).digest("base64url");

/**
 * Receives a visitor's image; `token` is the value of the browser's cookie, if it has one. Five an hour per
 * network; unclaimed, it lives for an hour. Refuses as images.receive does.
 */
async function receive(
  deps: Deps,
  file: File,
  { ip, token }: { ip: string; token: string | null },
) {
  const { db, images, publicUrl, countUpload } = deps;
  const network = networkOf(ip);
  const counted = await countUpload(network);
  const received = await images.receive(file, network).catch(async (error: unknown) => {
    if (isRefusal(error) && cheapRefusals.has(error.code)) await counted.refund();
    throw error;
  });
  const known = token && /^[\w-]{22}$/.test(token) ? token : randomBytes(16).toString("base64url");
  // Camera data is not stored for people without an account.
  const { mediaType, frames: _, movingWidth: _width, details: _details, ...image } = received;
  await queries.insertVisitorImage(db, {
    ...image,
    media_type: mediaType,
    uploader: hashOf(deps, known),
  });
  return { received, address: `${publicUrl}/api/images/${received.id}`, token: known, lifetime };
}

/** The variant to show at an upload's own address: to its uploader, or to the member who owns it. */
async function see(
  deps: Deps,
  id: string,
  { viewer, token }: { viewer: Viewer | null; token: string | null },
): Promise<{ key: string; width: number; claimed: boolean } | null> {
  if (!isId(id)) return null;
  const { db } = deps;
  const found = await queries.findVisitorImage(db, id, lifetime);
  if (found && token && found.uploader === hashOf(deps, token)) {
    return { key: found.key, width: found.widths.at(-1) ?? found.width, claimed: false };
  }
  const own = viewer && (await findOwnImage(db, viewer.id, { id }));
  return own ? { key: own.key, width: own.widths.at(-1) ?? 0, claimed: true } : null;
}

/** The part of an address that identifies the image, when the address is one of ours. */
function parse(
  { origins, imagesUrl }: Deps,
  address: string,
): { id: string } | { key: string } | null {
  const origin = [...origins, imagesUrl].find((one) => address.startsWith(`${one}/`)) ?? "";
  const path = address.slice(origin.length);
  const id = /^\/api\/images\/([0-9a-f-]{36})$/i.exec(path)?.[1];
  if (id && isId(id)) return { id: id.toLowerCase() };
  const key = /^\/images\/([0-9a-f]{32})\/[1-9]\d{0,4}\.webp(?:\?pass=[\w-]{43})?$/.exec(path)?.[1];
  return key ? { key } : null;
}

/**
 * The id of the upload behind an address that this server gave to this caller, used or not; a visitor's
 * upload becomes the member's. Refuses with storage-full where it does not fit, and every other address with
 * picture-unknown: nothing is fetched, so no other server learns who asked.
 */
async function resolveAddress(deps: Deps, viewer: Viewer, address: string): Promise<string> {
  const { db, storage } = deps;
  const parsed = parse(deps, address);
  const own = parsed && (await findOwnImage(db, viewer.id, parsed));
  if (own) return own.id;
  const found =
    parsed && "id" in parsed && (await queries.findVisitorImage(db, parsed.id, lifetime));
  const moved =
    found &&
    (await db.transaction(async () => {
      const done = await queries.moveToAccount(db, viewer.id, found.id);
      await storage?.check(viewer.id);
      return done;
    }));
  if (found && moved) return found.id;
  throw refuse("picture-unknown");
}

/** Where sign-up gets avatars from: a file, or the address of an earlier upload. */
function forSignUp(deps: Deps) {
  const { db, images } = deps;
  return {
    ...images,
    receive: async (
      avatar: File | { address: string },
      network: string,
    ): Promise<ReceivedImage | Adopted> => {
      if ("path" in avatar) return images.receive(avatar, network);
      const parsed = parse(deps, avatar.address);
      const id = parsed && "id" in parsed ? parsed.id : null;
      if (!id || !(await queries.findVisitorImage(db, id, lifetime)))
        throw refuse("picture-unknown");
      return { adopted: id };
    },
    record: async (accountId: string, received: ReceivedImage | Adopted): Promise<string> => {
      if (!("adopted" in received)) return images.record(accountId, received);
      if (await queries.moveToAccount(db, accountId, received.adopted)) return received.adopted;
      throw refuse("picture-required");
    },
    // An earlier upload stays for another try.
    discard: async (received: ReceivedImage | Adopted): Promise<void> => {
      if (!("adopted" in received)) await images.discard(received);
    },
  };
}
