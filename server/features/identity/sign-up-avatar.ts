import type { Logger } from "pino";
import type { Database } from "#server/platform/db/database.ts";
import { findVisibleById, setAvatar } from "#server/features/people/index.ts";
import type { ReceivedUpload } from "#server/features/types.ts";
import { isRefusal, refuse } from "#shared/errors.ts";

/**
 * What sign-up needs of the images feature; `Received` is an image that is stored but in no table
 * yet.
 */
export type AvatarImages<Received> = {
  /** `network`: shares the decoder's limits */
  receive: (avatar: SignUpAvatar, network: string) => Promise<Received>;
  record: (accountId: string, received: Received) => Promise<string>;
  claim: (accountId: string, imageIds: readonly string[]) => Promise<unknown>;
  discard: (received: Received) => Promise<void>;
};

/** A file that came with the form, or the address that a visitor's upload got. */
export type SignUpAvatar = ReceivedUpload | { address: string };

/** The id of the account once all its rows were written, committed or not. */
type Written = { accountId: string | null };

export type AvatarDeps<Received> = {
  db: Database;
  log: Pick<Logger, "error">;
  images: AvatarImages<Received>;
};

/**
 * Whatever is wrong with the image, the refusal is the same; the reason is by its field. Our own
 * failures are thrown as they are.
 */
export async function receiveAvatar<Received>(
  images: AvatarImages<Received>,
  avatar: SignUpAvatar,
  network: string,
): Promise<Received> {
  try {
    return await images.receive(avatar, network);
  } catch (error) {
    if (!isRefusal(error) || error.status >= 500) throw error;
    throw refuse("picture-required", { fields: { picture: error.message }, cause: error });
  }
}

/** Removes the image where no account was made. */
export async function withAvatarCleanup<Received, Entered>(
  deps: AvatarDeps<Received>,
  received: Received | null,
  work: (written: Written) => Promise<Entered>,
): Promise<Entered> {
  const written: Written = { accountId: null };
  try {
    return await work(written);
  } catch (error) {
    if (received) await discardAvatar(deps, received, written);
    throw error;
  }
}

/** Where the answer to the commit was lost, the account may exist, and needs its avatar. */
async function discardAvatar<Received>(
  { db, log, images }: AvatarDeps<Received>,
  received: Received,
  { accountId }: Written,
): Promise<void> {
  try {
    if (accountId && (await findVisibleById(db, null, accountId))) return;
    await images.discard(received);
  } catch (error) {
    log.error({ err: error }, "an image without an account is left for the sweep");
  }
}

export async function attachAvatar<Received>(
  { db, images }: Pick<AvatarDeps<Received>, "db" | "images">,
  accountId: string,
  received: Received,
): Promise<void> {
  const imageId = await images.record(accountId, received);
  await images.claim(accountId, [imageId]);
  await setAvatar(db, accountId, imageId);
}
