import { highestId, lowestId } from "#server/platform/db/cursors.ts";
import type { TestFeatures } from "#server/test/factories.ts";
import { maySee, mayMeet, type Post, type State, type Who } from "#server/test/audiences/oracle.ts";
import type { World } from "#server/test/audiences/world.ts";
import type { Viewer } from "#shared/views.ts";

/** Who looks, as the oracle and as the features name them, and at which posts. */
export type Look = {
  world: World;
  on: TestFeatures;
  state: State;
  who: Who;
  viewer: Viewer | null;
  posts: readonly Post[];
};
/** A member's. */
export type MembersLook = Look & { who: number; viewer: Viewer };

/**
 * One place where posts, or what is attached to them, are shown. `shows` answers what is shown there, each
 * thing by a text of its own; `expected` the same by the rule. Where `atMost` is set, less may be shown.
 */
type Of<L> = {
  shows: (look: L) => Promise<string[]>;
  expected: (look: L) => string[];
  atMost?: true;
};
export type Surface =
  ({ membersOnly?: never } & Of<Look>) | ({ membersOnly: true } & Of<MembersLook>);
export type Surfaces = Record<string, Surface>;

export const ids = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** Whole lists, from either end. */
export const newest = { below: highestId, above: lowestId, upward: false, limit: 100 };
export const oldest = { ...newest, upward: true };
export const unbounded = { below: null, above: null, minimum: null };

/** Those of these posts that the rule shows the viewer. */
export const seenOf = ({ state, who }: Look, posts: readonly Post[]): Post[] =>
  posts.filter((post) => maySee(state, who, post));

/** Those that lists of their authors' posts have: none that is for an album. */
export const listed = (posts: readonly Post[]): Post[] => posts.filter(({ album }) => !album);

/** A refusal as not-found shows nothing. */
export async function orNothing<Found>(read: Promise<Found>): Promise<Found | null> {
  return read.catch((error: unknown) => {
    if ((error as { code?: unknown }).code === "not-found") return null;
    throw error;
  });
}

/** What is shown of each of several, one after the other. */
export async function ofEach<One>(
  all: readonly One[],
  read: (one: One, index: number) => Promise<readonly string[]>,
): Promise<string[]> {
  const shown: string[] = [];
  for (const [index, one] of all.entries()) shown.push(...(await read(one, index)));
  return shown;
}

/** The members whom the viewer may meet, each with those of their listed posts that the viewer may see. */
export function profilesSeen(look: Look): { who: number; own: Post[] }[] {
  const { world, state } = look;
  return world.members.flatMap((_, who) => {
    if (!mayMeet(state, look.who, who)) return [];
    return [
      {
        who,
        own: seenOf(
          look,
          listed(state.posts).filter(({ author }) => author === who),
        ),
      },
    ];
  });
}
