import { hash } from "node:crypto";
import { limits } from "#shared/limits.ts";
import { searchName } from "#shared/text.ts";
import { below, randomOf, skewed, uuidAt, type Random } from "./random.ts";
import { accountName, sentence } from "./words.ts";
import type { Plan } from "./plan.ts";

/** Hash of an image that shows a soft gradient: a thumbhash of the common length. */
const thumbhash = "\\x93f7050d82787870778f70878878776770888787808f5808";

export type Row = readonly (string | number | null)[];

/** One post as every table needs it. */
type Post = {
  author: number;
  id: string;
  at: number;
  number: number;
  pictures: number;
  likers: number[];
  commenters: number[];
};

/** Rows of every table, in the order of writing; each set of rows is made when it is read. */
export function graphRows(plan: Plan) {
  const { ids, until, total } = plan;
  const { seed } = plan.options;
  const idOf = (account: number) => ids[account] ?? "";
  const joined = until - 400 * 86_400_000;

  const avatarId = (account: number) => uuidAt(joined, randomOf(seed, "avatar", account));
  const imageIdOf = (post: Post, position: number) =>
    uuidAt(post.at, randomOf(seed, "picture", post.author, post.number, position));

  function image(account: number, id: string, at: number, widths: string): Row {
    const random = randomOf(seed, "image", id);
    const wide = random() < 0.6;
    const [width, height] = wide ? [1600, 1200] : [1200, 1500];
    const bytes = 200_000 + below(random, 3_000_000);
    const time = iso(at);
    // From both ids, so that no two images have the same key: 32 bits of a seed are too few for a large town.
    const key = hash("sha256", idOf(account) + id).slice(0, 32);
    return [
      idOf(account),
      id,
      key,
      width,
      height,
      widths,
      thumbhash,
      bytes,
      "image/jpeg",
      time,
      time,
    ];
  }

  function* accounts(): Generator<Row> {
    for (let account = 0; account < total; account += 1) {
      const random = randomOf(seed, "name", account);
      const { first, second } = accountName(random, account);
      const email = `member${account}@example.org`;
      const name = `${first} ${second}`;
      const avatar = avatarId(account);
      yield [
        idOf(account),
        `member_${account}`,
        email,
        email,
        first,
        second,
        name,
        searchName(name, `member_${account}`),
        avatar,
      ];
    }
  }

  function* avatars(): Generator<Row> {
    for (let account = 0; account < total; account += 1) {
      yield image(account, avatarId(account), joined, "{64,128,256}");
    }
  }

  function* usernames(): Generator<Row> {
    for (let account = 0; account < total; account += 1) {
      yield [`member_${account}`, idOf(account)];
    }
  }

  function* counters(): Generator<Row> {
    const photos = new Uint32Array(total);
    for (const { author, pictures: of } of everyPost()) {
      if (of > 0) photos[author] = (photos[author] ?? 0) + 1;
    }
    for (let account = 0; account < total; account += 1) {
      const posts = plan.posts[account] ?? 0;
      const following = plan.follows(account).length;
      const followers = plan.followers[account] ?? 0;
      yield [idOf(account), posts, posts, followers, following, photos[account] ?? 0];
    }
  }

  function* everyPost(): Generator<Post> {
    for (let author = 0; author < total; author += 1) {
      const times = plan.postTimes(author);
      for (const [index, at] of times.entries()) {
        const random = randomOf(seed, "post", author, index);
        const pictures = random() < 0.25 ? 0 : 1 + Math.floor(random() ** 4 * 3);
        const { likesPerPost, commentsPerPost } = plan.habitsOf(author);
        let likes = Math.round(skewed(random, likesPerPost + 0.001, 1));
        let comments = Math.round(skewed(random, commentsPerPost + 0.001, 1));
        if (author < plan.stars && index === times.length - 1) {
          ({ likes, comments } = plan.applause(author));
        }
        yield {
          author,
          id: uuidAt(at, random),
          at,
          number: index + 1,
          pictures,
          likers: differentAccounts(random, Math.min(likes, total >> 2)),
          commenters: Array.from({ length: comments }, () => below(random, total)),
        };
      }
    }
  }

  function differentAccounts(random: Random, amount: number): number[] {
    const chosen = new Set<number>();
    while (chosen.size < amount) chosen.add(below(random, total));
    return [...chosen];
  }

  function* pictures(): Generator<Row> {
    for (const post of everyPost()) {
      for (let position = 1; position <= post.pictures; position += 1) {
        yield image(post.author, imageIdOf(post, position), post.at, "{320,640,1080,1600}");
      }
    }
  }

  function* posts(): Generator<Row> {
    for (const post of everyPost()) {
      const caption = sentence(randomOf(seed, "caption", post.author, post.number), 4, 40);
      const { length: likes } = post.likers;
      const { length: comments } = post.commenters;
      yield [
        idOf(post.author),
        post.id,
        post.number,
        caption,
        post.pictures,
        likes,
        comments,
        iso(post.at),
      ];
    }
  }

  function* postPictures(): Generator<Row> {
    for (const post of everyPost()) {
      for (let position = 1; position <= post.pictures; position += 1) {
        const alt = sentence(randomOf(seed, "alt", post.author, post.number), 3, 12);
        yield [idOf(post.author), post.id, position, imageIdOf(post, position), alt];
      }
    }
  }

  /** The newest photo posts of each account. */
  function* recentPhotos(): Generator<Row> {
    let newest: Post[] = [];
    for (const post of everyPost()) {
      if (post.author !== newest[0]?.author) {
        yield* newest.map(({ author, id }) => [idOf(author), id]);
        newest = [];
      }
      if (post.pictures > 0) newest = [...newest, post].slice(-limits.explore.perAccount);
    }
    yield* newest.map(({ author, id }) => [idOf(author), id]);
  }

  /** (follower, followee, id) for one side of the mirror, (followee, follower, id) for the other. */
  function* follows(side: "follower" | "followee"): Generator<Row> {
    for (let follower = 0; follower < total; follower += 1) {
      const random = randomOf(seed, "followed", follower);
      for (const followee of plan.follows(follower)) {
        const id = uuidAt(joined + below(random, 300 * 86_400_000), random);
        const pair = [idOf(follower), idOf(followee)] as const;
        yield side === "follower" ? [pair[0], pair[1], id] : [pair[1], pair[0], id];
      }
    }
  }

  function* likes(): Generator<Row> {
    for (const post of everyPost()) {
      const random = randomOf(seed, "likes", post.author, post.number);
      for (const liker of post.likers) {
        const id = uuidAt(post.at + below(random, 86_400_000), random);
        yield [idOf(post.author), post.id, idOf(liker), id];
      }
    }
  }

  function* comments(): Generator<Row> {
    for (const post of everyPost()) {
      const random = randomOf(seed, "comments", post.author, post.number);
      let at = post.at;
      // Within ten days, however many there are.
      const longest = Math.min(7_200_000, Math.floor(864_000_000 / post.commenters.length));
      for (const commenter of post.commenters) {
        at += 1 + below(random, longest);
        const body = sentence(random, 2, 20);
        yield [idOf(post.author), post.id, uuidAt(at, random), idOf(commenter), body, iso(at)];
      }
    }
  }

  /** Every fourth liker saves the post as well. */
  function* bookmarks(): Generator<Row> {
    for (const post of everyPost()) {
      const random = randomOf(seed, "saves", post.author, post.number);
      for (const [index, liker] of post.likers.entries()) {
        if (index % 4 !== 0) continue;
        const id = uuidAt(post.at + below(random, 86_400_000), random);
        yield [idOf(liker), idOf(post.author), post.id, id, post.pictures > 0 ? "t" : "f"];
      }
    }
  }

  const imageColumns =
    "account_id, id, key, width, height, widths, thumbhash, bytes, media_type, created_at, claimed_at";
  return [
    {
      table:
        "accounts (id, username, email, email_as_typed, first_name, second_name, full_name, " +
        "search_name, avatar_image_id)",
      rows: accounts,
    },
    { table: `images (${imageColumns})`, rows: avatars },
    { table: "usernames (username, account_id)", rows: usernames },
    {
      table: "account_counters (account_id, posts, last_post_number, followers, following, photos)",
      rows: counters,
    },
    { table: `images (${imageColumns})`, rows: pictures },
    {
      table:
        "posts (author_id, id, number, caption, picture_count, like_count, comment_count, created_at)",
      rows: posts,
    },
    { table: "post_pictures (author_id, post_id, position, image_id, alt)", rows: postPictures },
    { table: "recent_photos (author_id, post_id)", rows: recentPhotos },
    { table: "follows (follower_id, followee_id, id)", rows: () => follows("follower") },
    { table: "followers (followee_id, follower_id, id)", rows: () => follows("followee") },
    { table: "likes (author_id, post_id, account_id, id)", rows: likes },
    { table: "comments (author_id, post_id, id, account_id, body, created_at)", rows: comments },
    { table: "bookmarks (account_id, author_id, post_id, id, has_picture)", rows: bookmarks },
  ];
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
