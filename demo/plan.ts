import { type DemoProfile, profileOf } from "./accounts/profiles.ts";
import { sizeOf, type Subject, subjectOf } from "./photos/subjects.ts";
import { type Random, randomOf } from "./random.ts";
import { captionOf, longCaption, type Topic, topicOf } from "./texts/captions.ts";
import { altOf } from "./texts/descriptions.ts";
import { nextTextPost, type TextPosts, textPostsFor } from "./texts/text-posts.ts";

/** How long the town has existed, in milliseconds. All times below count from its first day. */
export const span = 240 * 86_400_000;
const hour = 3_600_000;

export type DemoAccount = DemoProfile & { joined: number };

type DemoPhoto = {
  subject: Subject;
  width: number;
  height: number;
  alt: string;
  /** the seed of its random numbers */
  keys: (string | number)[];
};

export type DemoPost = {
  /** the same in every run: a post found with it is not made again */
  key: string;
  author: number;
  time: number;
  caption: string;
  pictures: DemoPhoto[];
  topic: Topic | "words";
  /** around 1: how popular it is */
  appeal: number;
};

type Follow = { follower: number; followee: number; time: number };

export type DemoPlan = {
  seed: string;
  people: DemoAccount[];
  follows: Follow[];
  posts: DemoPost[];
};

/**
 * All accounts and posts of a town of `size` accounts, without the reactions to the posts (reactions.ts). A
 * larger town contains every smaller one of the same seed.
 */
export function planDemo(seed: string, size: number): DemoPlan {
  const people = Array.from({ length: size }, (_, index) => planAccount(seed, index));
  return {
    seed,
    people,
    follows: people.flatMap((person) => followsOf(seed, person, people)),
    posts: people.flatMap((person) => postsOf(seed, person)).sort((a, b) => a.time - b.time),
  };
}

function planAccount(seed: string, index: number): DemoAccount {
  const random = randomOf(seed, "joined", index);
  // The first joined on the first day, friends soon after, others until a month ago.
  const share = index < 12 ? index * 0.004 : random.between(0.02, 0.86);
  return { ...profileOf(seed, index), joined: Math.round(share * span) };
}

function followsOf(seed: string, person: DemoAccount, people: readonly DemoAccount[]): Follow[] {
  return people.flatMap((other) => {
    if (other.index === person.index) return [];
    const random = randomOf(seed, "follow", person.index, other.index);
    if (!random.chance(followChance(person, other))) return [];
    const met = Math.max(person.joined, other.joined) + random.between(0.1, 200) * hour;
    return [{ follower: person.index, followee: other.index, time: before(met, random) }];
  });
}

function followChance(person: DemoAccount, other: DemoAccount): number {
  if (person.circle === other.circle) return 0.78;
  // In a larger town nobody follows more accounts than they can read.
  const near = 60 / (60 + Math.max(0, other.index - 60));
  if (person.index < 2) return 0.55 * near;
  return (0.04 + 0.6 * other.fame) * near;
}

/** A time in the past, if the drawn one is in the future. */
function before(time: number, random: Random): number {
  return time < span - hour ? Math.round(time) : Math.round(span - random.between(0.05, 20) * hour);
}

function postsOf(seed: string, person: DemoAccount): DemoPost[] {
  // Some only read.
  if (person.index % 17 === 16) return [];
  const random = randomOf(seed, "posts", person.index);
  const count = 1 + Math.round(person.zeal * 14.5) + (person.index < 2 ? 4 : 0);
  const times = Array.from({ length: count }, () => momentOf(person, random)).sort((a, b) => a - b);
  const notes = textPostsFor(seed, person.index);
  return times.map((time, turn) => {
    // Their order is that of their numbers, even if two fell in the same minute.
    const post = postOf(seed, person, turn, notes);
    return { ...post, time: time + turn * 1000 };
  });
}

/** More often recently than long ago. */
function momentOf(person: DemoAccount, random: Random): number {
  const since = span - person.joined - 2 * hour;
  return Math.round(person.joined + hour + since * Math.sqrt(random.next()));
}

function postOf(seed: string, person: DemoAccount, turn: number, notes: TextPosts) {
  const random = randomOf(seed, "post", person.index, turn);
  const key = `town-${seed}-${person.index}-${turn}`;
  const appeal = random.between(0.35, 1.3) + (random.chance(0.12) ? 1.1 : 0);
  const common = { key, author: person.index, appeal };
  if (!random.chance(0.7)) {
    const caption = nextTextPost(notes, person.language, random);
    return { ...common, caption, pictures: [], topic: "words" as const };
  }
  const subject = subjectOf(person.tastes, random);
  const count = random.chance(0.08) ? random.integer(2, 4) : 1;
  const pictures = Array.from({ length: count }, (_, position): DemoPhoto => {
    const keys = [seed, "picture", person.index, turn, position];
    return { subject, ...sizeOf(subject, random), alt: altOf(subject), keys };
  });
  const long = person.index % 60 === 2 && turn === 2;
  const caption = long ? longCaption : captionOf(subject, person.language, random);
  return { ...common, caption, pictures, topic: topicOf(subject) };
}
