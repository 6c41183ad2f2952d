import { allowed, type Act } from "#server/test/audiences/act.ts";
import {
  isActive,
  leaveAlbum,
  loseAlbum,
  mayMeet,
  pair,
  type State,
} from "#server/test/audiences/oracle.ts";
import { ids } from "#server/test/audiences/surface.ts";
import { memberAt } from "#server/test/audiences/world.ts";
import { query } from "#server/test/query.ts";

function endFollow({ follows, requests }: State, by: number, whom: number): void {
  follows.delete(pair(by, whom));
  requests.delete(pair(by, whom));
}

export const peopleActs: Record<string, Act> = {
  follow: async (world, { by, whom }) => {
    const { on, state } = world;
    const follow = () => on.follows.follow(memberAt(world, by), memberAt(world, whom).id);
    if (!(await allowed(mayMeet(state, by, whom), follow))) return;
    if (state.follows.has(pair(by, whom))) return;
    (state.isPrivate.has(whom) ? state.requests : state.follows).add(pair(by, whom));
  },
  unfollow: async (world, { by, whom }) => {
    const { on, state } = world;
    const unfollow = () => on.follows.unfollow(memberAt(world, by), memberAt(world, whom).id);
    if (await allowed(mayMeet(state, by, whom), unfollow)) endFollow(state, by, whom);
  },
  accept: async (world, { by, whom }) => {
    const { on, state } = world;
    const waits = state.requests.has(pair(whom, by)) || state.follows.has(pair(whom, by));
    const accept = () => on.followRequests.accept(memberAt(world, by), memberAt(world, whom).id);
    if (!(await allowed(waits && mayMeet(state, by, whom), accept))) return;
    state.requests.delete(pair(whom, by));
    state.follows.add(pair(whom, by));
  },
  refuse: async (world, { by, whom }) => {
    const { on, state } = world;
    const refuse = () => on.followRequests.refuse(memberAt(world, by), memberAt(world, whom).id);
    if (await allowed(mayMeet(state, by, whom), refuse)) state.requests.delete(pair(whom, by));
  },
  "remove a follower": async (world, { by, whom }) => {
    const { on, state } = world;
    const remove = () => on.follows.removeFollower(memberAt(world, by), memberAt(world, whom).id);
    if (!(await allowed(mayMeet(state, by, whom), remove))) return;
    endFollow(state, whom, by);
    state.close.delete(pair(by, whom));
  },
  block: async (world, { by, whom }) => {
    const { on, state } = world;
    const exists = isActive(state, whom) && !state.blocks.has(pair(whom, by));
    const block = () => on.blocks.block(memberAt(world, by), memberAt(world, whom).id);
    if (!(await allowed(exists, block))) return;
    state.blocks.add(pair(by, whom));
    for (const [one, other] of [
      [by, whom],
      [whom, by],
    ] as const) {
      endFollow(state, one, other);
      state.close.delete(pair(one, other));
      const own = state.albums.filter(({ owner }) => owner === one);
      for (const album of own) leaveAlbum(state, album, other);
    }
  },
  unblock: async (world, { by, whom }) => {
    await world.on.blocks.unblock(memberAt(world, by), memberAt(world, whom).id);
    world.state.blocks.delete(pair(by, whom));
  },
  mute: async (world, { by, whom, pick }) => {
    const { on, state } = world;
    const [viewer, other] = [memberAt(world, by), memberAt(world, whom).id];
    if (pick % 2 === 0) {
      await on.blocks.unmute(viewer, other);
      state.mutes.delete(pair(by, whom));
      return;
    }
    const mute = () => on.blocks.mute(viewer, other);
    if (await allowed(mayMeet(state, by, whom), mute)) state.mutes.add(pair(by, whom));
  },
  private: async (world, { by }) => {
    await world.on.privacy.set(memberAt(world, by), true);
    world.state.isPrivate.add(by);
  },
  public: async (world, { by }) => {
    const { on, state } = world;
    await on.privacy.set(memberAt(world, by), false);
    await on.jobs.runDue();
    state.isPrivate.delete(by);
    for (let whom = 0; whom < world.members.length; whom += 1) {
      if (state.requests.delete(pair(whom, by))) state.follows.add(pair(whom, by));
    }
  },
  "close friend": async (world, { by, whom }) => {
    const { on, state } = world;
    const [viewer, other] = [memberAt(world, by), memberAt(world, whom).id];
    if (state.close.delete(pair(by, whom))) {
      await on.closeFriends.remove(viewer, other);
      return;
    }
    const put = () => on.closeFriends.put(viewer, other);
    if (await allowed(mayMeet(state, by, whom), put)) state.close.add(pair(by, whom));
  },
  suspend: async (world, { by }) => {
    await world.on.suspend(memberAt(world, by));
    world.state.suspended.add(by);
  },
  restore: async (world, { whom }) => {
    if (world.state.deleted.has(whom)) return;
    const { id } = memberAt(world, whom);
    await query(world.on.db, "update accounts set suspended_at = null where id = $1", [id]);
    world.state.suspended.delete(whom);
  },
  "delete the account": async (world, { by, pick }) => {
    const { on, state } = world;
    // rare: a history without people shows little
    if (pick % 4 > 0 || state.deleted.size > 0) return;
    await on.deletion.requestFor(memberAt(world, by).id, 0);
    await on.deletion.deleteDue();
    state.deleted.add(by);
    for (const pairs of [state.follows, state.requests, state.close, state.blocks, state.mutes]) {
      for (const one of pairs) if (one.split(">").includes(String(by))) pairs.delete(one);
    }
    state.posts = state.posts.filter(({ author }) => author !== by);
    for (const album of state.albums) {
      leaveAlbum(state, album, by);
      if (album.owner === by) loseAlbum(state.posts.filter((post) => post.album === album));
    }
    state.albums = state.albums.filter(({ owner }) => owner !== by);
    for (const post of state.posts) {
      post.likes.delete(by);
      post.saves.delete(by);
      post.describers.delete(by);
      const roots = new Set(ids(post.comments.filter(({ writer }) => writer === by)));
      post.comments = post.comments.filter(
        ({ writer, rootId }) => writer !== by && !roots.has(rootId ?? ""),
      );
    }
  },
};
