import type { Database } from "#server/platform/db/database.ts";
import { lockAsked } from "#server/features/people/follows/requests.queries.ts";
import type { FollowRequests } from "#server/features/people/follows/requests.ts";
import type { ImageStoreSettings } from "#server/adapters/image-store/settings.ts";
import * as queries from "#server/features/people/privacy/privacy.queries.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  followRequests: Pick<FollowRequests, "acceptWaiting">;
  /** whether posts may be for fewer than everyone; true by default */
  narrow?: boolean;
};

/** Private accounts: their posts are for their followers at most, whenever they were made. */
export function createPrivacy({ db, followRequests, narrow = true }: Deps) {
  /**
   * Whether the account is private, and what changes with that: how many of its posts are for everyone while
   * it is public, and how many followers see them while it is private.
   */
  async function get(viewer: Viewer): Promise<queries.Privacy> {
    const privacy = await queries.readPrivacy(db, viewer.id);
    if (!privacy) throw refuse("sign-in-required");
    return privacy;
  }

  /**
   * Its effect is immediate. Followers stay; who waits for an answer follows a public account. Refuses with
   * audience-not-offered where every post is for everyone.
   */
  async function set(
    viewer: Pick<Viewer, "id">,
    isPrivate: boolean,
  ): Promise<{ private: boolean }> {
    if (isPrivate && !narrow) throw refuse("audience-not-offered");
    await db.transaction(async () => {
      db.seenAtOnce();
      await lockAsked(db, viewer.id);
      const written = await queries.writePrivate(db, viewer.id, isPrivate);
      if (!written) throw refuse("sign-in-required");
      if (!isPrivate) await followRequests.acceptWaiting(viewer.id);
    });
    return { private: isPrivate };
  }

  return { get, set };
}

export type Privacy = ReturnType<typeof createPrivacy>;

type Stores = {
  imageStore?: ImageStoreSettings | undefined;
  imageStoreFrom?: ImageStoreSettings | null | undefined;
};

/**
 * Whether posts and accounts may be for fewer than everyone: not while photos are at an image host, which
 * shows them to whoever has their addresses there and has no way to delete them.
 */
export function narrowPostsPossible({ imageStore, imageStoreFrom }: Stores): boolean {
  return imageStore?.kind !== "imgbb" && imageStoreFrom?.kind !== "imgbb";
}
