import { below, randomOf, skewed, uuidAt, zipf } from "./random.ts";

const day = 86_400_000;

export type GraphOptions = {
  /** members, without the viewers added for measuring */
  accounts: number;
  seed: number;
  followsPerAccount: number;
  postsPerAccount: number;
  likesPerPost: number;
  commentsPerPost: number;
  /** viewers added for measuring: how many accounts each follows, and of which kind */
  viewers: readonly { follows: number; of: "anybody" | "quiet" }[];
};

export const graphDefaults: GraphOptions = {
  accounts: 1000,
  seed: 1,
  followsPerAccount: 40,
  postsPerAccount: 20,
  likesPerPost: 4,
  commentsPerPost: 2,
  viewers: [],
};

export type Plan = ReturnType<typeof planGraph>;

/**
 * Decides who exists, who follows whom and who posts how much. One account in eight is quiet: at
 * most two posts, all of them older than those of everybody else. Everything else about the graph
 * follows from the seed and is worked out again wherever it is needed.
 */
export function planGraph(options: GraphOptions) {
  const { accounts, seed, viewers } = options;
  const total = accounts + viewers.length;
  // A fixed day, so that the same seed gives the same ids.
  const until = Date.UTC(2026, 10, 1);
  const isQuiet = (account: number) => account < accounts && account % 8 === 5;

  const ids = Array.from({ length: total }, (_, account) =>
    uuidAt(until - 400 * day + account, randomOf(seed, "account", account)),
  );

  const popularity = zipf(accounts, 0.9);
  const follows = ids.map((_, account) => {
    const random = randomOf(seed, "follows", account);
    const viewer = viewers[account - accounts];
    if (viewer) return followsOfViewer(viewer, random);
    const wanted = Math.round(skewed(random, options.followsPerAccount, 0.8));
    return popularity
      .drawSome(random, Math.min(wanted, accounts - 1))
      .filter((followee) => followee !== account);
  });

  function followsOfViewer(
    { follows, of }: GraphOptions["viewers"][number],
    random: () => number,
  ): number[] {
    const ranked = popularity.drawExactly(random, accounts);
    const chosen = of === "quiet" ? ranked.filter(isQuiet) : ranked;
    if (chosen.length < follows) {
      throw new Error(`${accounts} accounts are too few for a viewer who follows ${follows}.`);
    }
    return chosen.slice(0, follows);
  }

  const posts = Uint32Array.from({ length: total }, (_, account) => {
    const random = randomOf(seed, "posts", account);
    if (account >= accounts) return 0;
    if (isQuiet(account)) return below(random, 3);
    const wanted = skewed(random, options.postsPerAccount, 1);
    return Math.min(Math.round(wanted), options.postsPerAccount * 40);
  });

  const followers = new Uint32Array(total);
  for (const list of follows) {
    for (const followee of list) followers[followee] = (followers[followee] ?? 0) + 1;
  }

  /** When an account wrote its posts, oldest first, all different. */
  const postTimes = (account: number): number[] => {
    const random = randomOf(seed, "times", account);
    const [oldest, span] = isQuiet(account) ? [399, 30] : [365, 364];
    const times = Array.from(
      { length: posts[account] ?? 0 },
      () => until - oldest * day + Math.floor(random() * span * day),
    ).sort((one, other) => one - other);
    for (let index = 1; index < times.length; index += 1) {
      times[index] = Math.max(times[index] ?? 0, (times[index - 1] ?? 0) + 1);
    }
    return times;
  };

  return { options, total, until, ids, follows, followers, posts, postTimes, isQuiet };
}
