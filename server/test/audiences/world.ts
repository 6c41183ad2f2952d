import { newId } from "#server/platform/db/ids.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import type { TestFeatures } from "#server/test/factories.ts";
import { query } from "#server/test/query.ts";
import {
  freshState,
  isActive,
  type Post,
  type State,
  type Who,
} from "#server/test/audiences/oracle.ts";
import type { PostRef } from "#server/features/types.ts";
import type { Viewer } from "#shared/views.ts";

/** The members of one history, and what they did. */
export type World = {
  on: TestFeatures;
  members: Viewer[];
  state: State;
  /** whether photos have files */
  files: boolean;
  /** a hashtag of this history alone */
  tag: string;
};

export const membersOfHistory = 5;
const twoDaysAgo = () => Date.now() - 2 * 86_400_000;
let histories = 0;

/** Five members who know nobody; those of earlier histories are suspended, so that nothing of them is seen. */
export async function newWorld(on: TestFeatures, { files = false } = {}): Promise<World> {
  histories += 1;
  await query(on.db, "update accounts set suspended_at = now() where suspended_at is null");
  // old enough for their photos to be in Explore
  const joined = twoDaysAgo() + histories * membersOfHistory;
  const members = await insertAccounts(
    on.db,
    membersOfHistory,
    (index) => `Person ${index}`,
    joined,
  );
  return { on, files, members, state: freshState(), tag: `history${histories}x` };
}

export function memberAt({ members }: World, who: number): Viewer {
  const member = members[who];
  if (!member) throw new Error(`there is no member ${who}`);
  return member;
}

export const viewerAt = (world: World, who: Who): Viewer | null =>
  who === null ? null : memberAt(world, who);

export const refOf = (world: World, { author, id }: Post): PostRef & { id: string } => ({
  authorId: memberAt(world, author).id,
  postId: id,
  id,
});

/** An image that was uploaded and is in no post; without files only its row, which takes no drawing. */
export async function uploadPhoto({ on, files }: World, account: Viewer) {
  if (files) {
    const { imageId, picture } = await on.images.upload(account, await on.photo());
    return { id: imageId, key: picture.key };
  }
  const id = newId();
  const key = id.replaceAll("-", "");
  await query(
    on.db,
    `insert into images (account_id, id, key, width, height, widths, thumbhash, bytes, media_type)
    values ($1, $2, $3, 96, 64, '{96}', '\\x0011223344', 1000, 'image/jpeg')`,
    [account.id, id, key],
  );
  return { id, key };
}

/** Whoever can ask: a visitor, and every member who is neither suspended nor deleted. */
export function askers({ state, members }: World): Who[] {
  const active = members.flatMap((_, who) => (isActive(state, who) ? [who] : []));
  return [null, ...active];
}
