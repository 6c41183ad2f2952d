import fc from "fast-check";
import { expect } from "vitest";
import { lowestId } from "#server/platform/db/cursors.ts";
import type { TestFeatures } from "#server/test/factories.ts";
import type { Step } from "#server/test/audiences/act.ts";
import { albumActs } from "#server/test/audiences/album-acts.ts";
import { albumSurfaces } from "#server/test/audiences/album-surfaces.ts";
import { acts, take } from "#server/test/audiences/acts.ts";
import { listSurfaces } from "#server/test/audiences/list-surfaces.ts";
import { mayOpen, maySee, relationOf, type Post, type Who } from "#server/test/audiences/oracle.ts";
import { otherSurfaces } from "#server/test/audiences/other-surfaces.ts";
import { postSurfaces } from "#server/test/audiences/post-surfaces.ts";
import { publicSurfaces } from "#server/test/audiences/public-surfaces.ts";
import { refusalSurfaces } from "#server/test/audiences/refusal-surfaces.ts";
import { ids, type Surfaces } from "#server/test/audiences/surface.ts";
import {
  askers,
  membersOfHistory,
  newWorld,
  viewerAt,
  type World,
} from "#server/test/audiences/world.ts";
import { query } from "#server/test/query.ts";
import { shownAudiences } from "#shared/posts.ts";

const surfaces: Surfaces = {
  ...listSurfaces,
  ...publicSurfaces,
  ...postSurfaces,
  ...refusalSurfaces,
  ...otherSurfaces,
  ...albumSurfaces,
};

/** What the histories of a test reached. */
export type Reached = { comparisons: number; histories: number; ways: Set<string> };
export const nothingReached = (): Reached => ({ comparisons: 0, histories: 0, ways: new Set() });

const member = fc.nat(membersOfHistory - 1);
const stepOf = (names: readonly string[]) =>
  fc
    .record({
      act: fc.constantFrom(...names),
      by: member,
      // somebody else
      away: fc.integer({ min: 1, max: membersOfHistory - 1 }),
      pick: fc.nat(255),
    })
    .map(({ away, ...step }): Step => ({ ...step, whom: (step.by + away) % membersOfHistory }));
/** By what people lose posts under which they left something. */
const losses = [
  "block",
  "change the audience",
  "unfollow",
  "remove a follower",
  "close friend",
  ...Object.keys(albumActs),
];
/**
 * How a history begins: who follows and trusts whom, who is private, what there is to see,
 * and what some see no more.
 */
const beginning = fc.tuple(
  fc.array(stepOf(["follow"]), { minLength: 8, maxLength: 14 }),
  fc.array(stepOf(["close friend"]), { minLength: 4, maxLength: 8 }),
  fc.array(stepOf(["post"]), { minLength: 7, maxLength: 10 }),
  fc.array(stepOf(["make an album"]), { minLength: 2, maxLength: 3 }),
  fc.array(stepOf(["invite into an album"]), { minLength: 4, maxLength: 8 }),
  fc.array(stepOf(["add to an album"]), { minLength: 8, maxLength: 12 }),
  fc.array(stepOf(["put into an album"]), { minLength: 4, maxLength: 8 }),
  fc.array(stepOf(["let links show one's photos"]), { minLength: 3, maxLength: 6 }),
  fc.array(stepOf(["share an album with guests"]), { minLength: 3, maxLength: 6 }),
  fc.array(stepOf(["private"]), { maxLength: 3 }),
  fc.array(stepOf(["like", "bookmark", "comment", "reply", "describe"]), {
    minLength: 12,
    maxLength: 20,
  }),
  fc.array(stepOf(losses), { minLength: 4, maxLength: 8 }),
  fc.array(stepOf(["leave an album"]), { minLength: 1, maxLength: 3 }),
);
const further = fc.array(stepOf(Object.keys(acts)), { minLength: 6, maxLength: 14 });

/** A history: how it begins, what happens, and what is looked at after each step. */
export const history = fc.record({
  beginning: beginning.map((parts) => parts.flat()),
  further,
  /** which pairs of a place and a viewer are looked at */
  looks: fc.infiniteStream(fc.nat(0xffff)),
});
export type History = { beginning: Step[]; further: Step[]; looks: Iterator<number> };

/** What one viewer is shown in one place is what the rule says. */
async function compare(
  world: World,
  { on, name, who, posts }: { on: TestFeatures; name: string; who: Who; posts: readonly Post[] },
  reached: Reached,
): Promise<void> {
  const surface = surfaces[name];
  const viewer = viewerAt(world, who);
  const { state } = world;
  if (!surface) throw new Error(`there is no place ${name}`);
  let [shown, expected]: [string[], string[]] = [[], []];
  if (!surface.membersOnly) {
    const look = { world, on, state, who, viewer, posts };
    [shown, expected] = [await surface.shows(look), surface.expected(look)];
  } else if (who !== null && viewer) {
    const look = { world, on, state, who, viewer, posts };
    [shown, expected] = [await surface.shows(look), surface.expected(look)];
  } else return;
  if (surface.atMost) {
    const known = new Set(expected);
    expected = shown.filter((text) => known.has(text));
  }
  const said = `${name}, as ${who ?? "a visitor"} sees it`;
  expect(shown.toSorted(), said).toEqual(expected.toSorted());
  reached.comparisons += 1;
  for (const post of state.posts) {
    const kind = state.isPrivate.has(post.author) ? "private" : "public";
    reached.ways.add([name, post.audience, kind, relationOf(state, who, post)].join(" | "));
  }
}

/** Whoever was just notified of something about a post may see it. */
async function compareNotified(world: World, since: string): Promise<string> {
  const { on, members, state } = world;
  const rows = await query<{ id: string; account: string; kind: string; post: string }>(
    on.db,
    `select act.id, act.account_id as account, n.kind, n.post_id as post
    from notification_acts act
    join notifications n on n.account_id = act.account_id and n.id = act.notification_id
    where act.account_id = any($1) and act.id > $2 and n.post_id is not null
    order by act.id`,
    [ids(members), since],
  );
  const wrong = rows.filter(({ account, kind, post: id }) => {
    const who = members.findIndex((member) => member.id === account);
    if (kind === "album" || kind === "invited") {
      const album = state.albums.find((one) => one.id === id);
      return !album || !mayOpen(state, who, album);
    }
    const post = state.posts.find((one) => one.id === id);
    return !post || !maySee(state, who, post);
  });
  expect(wrong, "notified of what they may not see").toEqual([]);
  return rows.at(-1)?.id ?? since;
}

/** Every place, as everybody who can ask sees it. */
async function lookAtAll(world: World, on: TestFeatures, reached: Reached): Promise<void> {
  const { posts } = world.state;
  for (const name of Object.keys(surfaces)) {
    for (const who of askers(world)) await compare(world, { on, name, who, posts }, reached);
  }
}

/**
 * After each step some pairs that are drawn, at the end all. What is done on one server is looked at on
 * another one of the same installation.
 */
export async function live(
  [at, on]: readonly [TestFeatures, TestFeatures],
  { beginning: first, further: rest, looks }: History,
  { drawn, reached }: { drawn: number; reached: Reached },
): Promise<void> {
  const world = await newWorld(at);
  const names = Object.keys(surfaces);
  const draw = (most: number) => (looks.next().value as number) % most;
  let since = lowestId;
  for (const step of first) {
    await take(world, step);
    since = await compareNotified(world, since);
  }
  for (const step of rest) {
    await take(world, step);
    since = await compareNotified(world, since);
    const all = askers(world);
    for (let nth = 0; nth < drawn; nth += 1) {
      const name = names[draw(names.length)] ?? "";
      const who = all[draw(all.length)] ?? null;
      const from = draw(Math.max(1, world.state.posts.length));
      await compare(
        world,
        { on, name, who, posts: world.state.posts.slice(from, from + 2) },
        reached,
      );
    }
  }
  await lookAtAll(world, on, reached);
  reached.histories += 1;
}

/** Of all combinations of a place, an audience, an account and a relation, the part that was reached. */
export function shareOf({ ways }: Reached): number {
  const relations = 7;
  const forVisitors = Object.values(surfaces).filter(({ membersOnly }) => !membersOnly).length;
  const forMembers = Object.keys(surfaces).length;
  const kinds = shownAudiences.length * 2;
  return ways.size / (kinds * (forMembers * (relations - 1) + forVisitors));
}
