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
  /**
   * How many accounts, the best known first, are as active as described above; the others do little. Without
   * it all are, in a town up to `denseUpTo`.
   */
  regulars?: number;
  /** how many of the best known have a newest post that a part of the whole town liked and commented on */
  stars?: number;
};

/** A million accounts as active as that would be 270 million rows and 50 GB; and most people post little. */
export const denseUpTo = 100_000;

/** What accounts do that are no regulars. */
const seldom = {
  followsPerAccount: 4,
  postsPerAccount: 0.6,
  likesPerPost: 2,
  commentsPerPost: 0.6,
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
 * Decides which accounts exist, who follows whom and who posts how much. One account in eight is quiet: at
 * most two posts, all of them older than those of everybody else. Everything else about the graph follows
 * from the seed and is computed again wherever it is needed.
 */
export function planGraph(options: GraphOptions) {
  const { accounts, seed, viewers } = options;
  const total = accounts + viewers.length;
  const dense = accounts <= denseUpTo;
  const regulars = Math.min(options.regulars ?? (dense ? accounts : 2500), accounts);
  const stars = options.stars ?? (dense ? 0 : 10);
  /** What an account does, on the average. */
  const habitsOf = (account: number) => (account < regulars ? options : seldom);
  // A fixed day, so that the same seed gives the same ids.
  const until = Date.UTC(2026, 10, 1);
  const isQuiet = (account: number) => account < accounts && account % 8 === 5;

  const ids = Array.from({ length: total }, (_, account) =>
    uuidAt(until - 400 * day + account, randomOf(seed, "account", account)),
  );

  const popularity = zipf(accounts, 0.9);
  const known = regulars === accounts ? popularity : zipf(regulars, 0.9);
  const posts = Uint32Array.from({ length: total }, (_, account) => {
    const random = randomOf(seed, "posts", account);
    if (account >= accounts) return 0;
    if (account < stars) return options.postsPerAccount;
    if (isQuiet(account)) return below(random, 3);
    const { postsPerAccount } = habitsOf(account);
    const wanted = skewed(random, postsPerAccount, 1);
    return Math.min(Math.round(wanted), Math.ceil(postsPerAccount * 40));
  });

  const follows = listsOf(total, (account) => {
    const viewer = viewers[account - accounts];
    // From the number of regulars, not of accounts: a viewer follows the same accounts in a larger town.
    if (viewer)
      return followsOfViewer(viewer, randomOf(seed, "follows", regulars + account - accounts));
    const random = randomOf(seed, "follows", account);
    const wanted = Math.round(skewed(random, habitsOf(account).followsPerAccount, 0.8));
    return popularity
      .drawSome(random, Math.min(wanted, accounts - 1))
      .filter((followee) => followee !== account);
  });

  function followsOfViewer(
    { follows, of }: GraphOptions["viewers"][number],
    random: () => number,
  ): number[] {
    const ranked = known.drawExactly(random, regulars);
    const chosen = of === "quiet" ? ranked.filter(isQuiet) : ranked;
    if (chosen.length < follows) {
      throw new Error(`${regulars} accounts are too few for a viewer who follows ${follows}.`);
    }
    return chosen.slice(0, follows);
  }

  const followers = new Uint32Array(total);
  for (const followee of follows.all) followers[followee] = (followers[followee] ?? 0) + 1;

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
    // Newer than anything else: accounts that follow stars find them at the top of home.
    if (account < stars && times.length > 0)
      times[times.length - 1] = until - (account + 1) * 60_000;
    return times;
  };

  /** Likes and comments of a star's newest post; more than any page reads at once in the smallest town. */
  const applause = (account: number) => ({
    likes: Math.max(120, Math.round(total / 20 / (account + 1))),
    comments: Math.max(120, Math.round(total / 50 / (account + 1))),
  });

  return {
    options,
    total,
    until,
    ids,
    follows: follows.of,
    followers,
    posts,
    postTimes,
    habitsOf,
    stars,
    applause,
  };
}

/**
 * A list of numbers for each of many accounts, in one array: a million arrays would take ten times the
 * memory.
 */
function listsOf(total: number, listOf: (index: number) => readonly number[]) {
  const ends = new Uint32Array(total);
  let all = new Uint32Array(1024);
  let length = 0;
  for (let index = 0; index < total; index += 1) {
    const list = listOf(index);
    if (length + list.length > all.length) {
      const larger = new Uint32Array(2 * (length + list.length));
      larger.set(all);
      all = larger;
    }
    all.set(list, length);
    length += list.length;
    ends[index] = length;
  }
  return {
    all: all.subarray(0, length),
    of: (index: number) => all.subarray(ends[index - 1] ?? 0, ends[index]),
  };
}
