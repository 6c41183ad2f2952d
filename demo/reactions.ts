import { type Random, randomOf } from "./random.ts";
import { commentInLanguage, commentPool, replyPool } from "./texts/comments.ts";
import { type DemoAccount, span, type DemoPlan, type DemoPost } from "./plan.ts";

const hour = 3_600_000;

export type Reaction = { person: number; time: number } & (
  { kind: "like" | "save" } | { kind: "comment"; body: string; key: string }
);

/** Who follows whom, looked up in constant time. */
export function followTest(plan: DemoPlan): (follower: number, followee: number) => boolean {
  const pairs = new Set(plan.follows.map(({ follower, followee }) => `${follower} ${followee}`));
  return (follower, followee) => pairs.has(`${follower} ${followee}`);
}

/** The reactions to one post, in order of time. Accounts that join later only add to it. */
export function reactionsTo(
  post: DemoPost,
  { seed, people }: DemoPlan,
  follows: (follower: number, followee: number) => boolean,
): Reaction[] {
  const author = people[post.author] as DemoAccount;
  const pool = commentPool(post.topic, randomOf(seed, "words", post.key));
  const reactions: Reaction[] = [];
  const answers = replyPool(randomOf(seed, "answers", post.key));
  let commenters = 0;
  let answered = 0;
  for (const person of people) {
    if (person.index === post.author) continue;
    const random = randomOf(seed, "reaction", post.key, person.index);
    const knows = follows(person.index, post.author);
    // Accounts that joined later rarely scroll back that far.
    const reach = person.joined > post.time ? 0.12 : 1;
    const draws = [random.next(), random.next(), random.next()] as const;
    const liking = knows ? (0.18 + 0.5 * person.zeal) * post.appeal : 0.012;
    if (draws[0] < liking * reach) {
      reactions.push({ kind: "like", person: person.index, time: after(post, person, random) });
    }
    const close = person.circle === author.circle ? 1.7 : 1;
    const talking = knows ? (0.025 + 0.1 * person.zeal) * close * post.appeal ** 1.6 : 0.002;
    if (draws[1] < talking * reach) {
      const line = pool[commenters % pool.length] as string;
      const time = after(post, person, random);
      const foreign = post.topic === "words" ? null : commentInLanguage(person.language, random);
      const body = foreign ?? line;
      const key = `${post.key}-${person.index}`;
      reactions.push({ kind: "comment", person: person.index, time, body, key });
      commenters += 1;
      if (random.chance(0.24)) {
        const at = Math.min(span - 1000, time + random.between(0.05, 5) * hour);
        const reply = { body: answers[answered % answers.length] as string, key: `${key}-reply` };
        reactions.push({ kind: "comment", person: post.author, time: Math.round(at), ...reply });
        answered += 1;
      }
    }
    const keeping = person.index < 2 ? 0.2 : 0.05;
    if (draws[2] < (knows ? keeping * post.appeal * reach : 0.002)) {
      reactions.push({ kind: "save", person: person.index, time: after(post, person, random) });
    }
  }
  return reactions.sort((a, b) => a.time - b.time);
}

/** Most look within a day; nobody before the post, before they joined or after today. */
function after(post: DemoPost, person: DemoAccount, random: Random): number {
  const from = Math.max(post.time, person.joined);
  const time = from + (0.05 - Math.log(1 - random.next()) * 11) * hour;
  return Math.round(time < span ? time : from + (span - from) * random.between(0.05, 0.95));
}
