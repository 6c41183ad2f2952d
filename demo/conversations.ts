import { type Subject, subjectOf } from "./photos/subjects.ts";
import { type Random, randomOf } from "./random.ts";
import { type Dialogue, dialoguesOf } from "./texts/dialogues.ts";
import { type DemoAccount, span, type DemoPlan } from "./plan.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export type DemoMessage = {
  /** the same in every run: a message found with it is not sent again */
  key: string;
  from: number;
  time: number;
  body: string;
  photo: { subject: Subject; keys: (string | number)[] } | null;
};

export type Conversation = {
  /** two accounts that follow each other, the smaller number first */
  people: readonly [number, number];
  /** in order of time */
  messages: DemoMessage[];
  /** how many of them each of the two has seen */
  read: readonly [number, number];
};

/**
 * Who wrote what to whom. Everything follows from the seed and the two accounts, so a larger town has every
 * conversation of a smaller one, word for word.
 */
export function conversationsOf(plan: DemoPlan): Conversation[] {
  const met = new Map(
    plan.follows.map(({ follower, followee, time }) => [`${follower} ${followee}`, time]),
  );
  return plan.people.flatMap((one) =>
    plan.people.flatMap((two) => {
      if (one.index >= two.index) return [];
      const there = met.get(`${one.index} ${two.index}`);
      const back = met.get(`${two.index} ${one.index}`);
      if (there === undefined || back === undefined) return [];
      return conversationOf(plan.seed, one, two, Math.max(there, back));
    }),
  );
}

function conversationOf(
  seed: string,
  one: DemoAccount,
  two: DemoAccount,
  since: number,
): Conversation[] {
  const random = randomOf(seed, "talk", one.index, two.index);
  const known = one.index < 2;
  if (since > span - 3 * hour || !random.chance(talkChance(one, two))) return [];
  const count = known ? random.integer(1, 4) : random.integer(1, 2);
  const talks = dialoguesOf([one.language, two.language], random).slice(0, count);
  const times = momentsOf(talks.length, since, random);
  const messages = talks.flatMap((talk, turn) =>
    sessionOf({ seed, one, two, talk, turn, time: times[turn] as number }, random),
  );
  const unread = known && random.chance(0.75) ? endOf(messages) : 0;
  const all = messages.length;
  const mineLast = messages.at(-1)?.from === one.index;
  return [
    {
      people: [one.index, two.index],
      messages: inOrder(messages),
      // Both have seen everything, except that now and then the last messages are unread.
      read: mineLast ? [all, all - unread] : [all - unread, all],
    },
  ];
}

/** The two accounts that visitors sign in as know each other, and many others. */
function talkChance(one: DemoAccount, two: DemoAccount): number {
  if (two.index < 2) return 1;
  if (one.index < 2) return 0.6;
  return one.circle === two.circle ? 0.28 : 0.1;
}

/** When each dialogue began, more often recently, the last one sometimes within the last days. */
function momentsOf(count: number, since: number, random: Random): number[] {
  const left = span - 2 * hour - since;
  const moments = Array.from({ length: count }, () => since + left * random.next() ** 0.5);
  if (random.chance(0.5)) moments[0] = Math.max(since, span - random.between(0.1, 3) * day);
  return moments.sort((a, b) => a - b);
}

type Session = {
  seed: string;
  one: DemoAccount;
  two: DemoAccount;
  talk: Dialogue;
  turn: number;
  time: number;
};

/** One dialogue from its start, a line every few minutes. */
function sessionOf({ seed, one, two, talk, turn, time }: Session, random: Random): DemoMessage[] {
  const [first, second] = random.chance(0.5) ? [one, two] : [two, one];
  let at = time;
  return talk.map(({ begins, text, photo }, nth) => {
    at += random.between(0.3, 6) * minute;
    const from = begins ? first : second;
    const path = [one.index, two.index, turn, nth];
    const subject = subjectOf(from.tastes, random);
    const keys = [seed, "talk", ...path];
    const key = `talk-${seed}-${path.join("-")}`;
    return { key, from: from.index, time: at, body: text, photo: photo ? { subject, keys } : null };
  });
}

/** Later dialogues may have begun before an earlier one ended. */
function inOrder(messages: readonly DemoMessage[]): DemoMessage[] {
  let last = 0;
  return messages.map((message) => {
    last = Math.round(Math.min(span - minute, Math.max(message.time, last + 20_000)));
    return { ...message, time: last };
  });
}

/** How many messages one of them wrote at the end, without an answer. */
function endOf(messages: readonly DemoMessage[]): number {
  const last = messages.at(-1)?.from;
  return messages.length - 1 - messages.findLastIndex(({ from }) => from !== last);
}
