import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { commentProblem } from "#shared/comments.ts";
import { altTextProblem, captionProblem, isTimeZone } from "#shared/posts.ts";
import { limits } from "#shared/limits.ts";
import { countGraphemes } from "#shared/graphemes.ts";
import { joinNames } from "#shared/text.ts";
import { messageProblem } from "#shared/chat.ts";
import { conversationsOf } from "./conversations.ts";
import { fixedPeople } from "./accounts/names.ts";
import { portrait } from "./accounts/portraits.ts";
import { paint, type Subject } from "./photos/subjects.ts";
import { randomOf } from "./random.ts";
import { followTest, reactionsTo } from "./reactions.ts";
import { planDemo, span } from "./plan.ts";

const plan = planDemo("town", 60);
const follows = followTest(plan);
const conversations = conversationsOf(plan);
const reactions = plan.posts.flatMap((post) => reactionsTo(post, plan, follows));

test("the same seed plans the same town, another seed another one", () => {
  expect(planDemo("town", 60)).toEqual(plan);
  const other = planDemo("elsewhere", 60);
  expect(other.posts.map(({ caption }) => caption)).not.toEqual(
    plan.posts.map(({ caption }) => caption),
  );
});

test("a larger town contains the smaller one, word for word and moment for moment", () => {
  const larger = planDemo("town", 90);
  const known = followTest(larger);
  expect(larger.people.slice(0, 60)).toEqual(plan.people);
  expect(larger.posts.filter(({ author }) => author < 60)).toEqual(plan.posts);
  expect(larger.follows).toEqual(expect.arrayContaining(plan.follows));
  expect(conversationsOf(larger)).toEqual(expect.arrayContaining(conversations));
  for (const post of plan.posts.slice(0, 40)) {
    const before = reactionsTo(post, plan, follows);
    expect(reactionsTo(post, larger, known)).toEqual(expect.arrayContaining(before));
  }
});

test("the default town has some four hundred posts, mostly photos, and people who talk", () => {
  expect(plan.posts.length).toBeGreaterThan(350);
  const photos = plan.posts.filter(({ pictures }) => pictures.length > 0).length;
  expect(photos / plan.posts.length).toBeGreaterThan(0.55);
  expect(photos).toBeLessThan(plan.posts.length);
  expect(countOf("like")).toBeGreaterThan(1500);
  expect(countOf("comment")).toBeGreaterThan(300);
  expect(countOf("save")).toBeGreaterThan(100);
});

test("a few accounts are followed by many, and friends by their friends", () => {
  const followers = plan.people.map(
    ({ index }) => plan.follows.filter(({ followee }) => followee === index).length,
  );
  const sorted = followers.toSorted((a, b) => b - a);
  expect(sorted[0]).toBeGreaterThan(3 * (sorted[30] ?? 0));
  const close = plan.people.flatMap((one) =>
    plan.people
      .filter((two) => two.index !== one.index && two.circle === one.circle)
      .map((two) => follows(one.index, two.index)),
  );
  expect(close.filter(Boolean).length / close.length).toBeGreaterThan(0.6);
});

test("an author's posts follow each other, after the author joined and before today", () => {
  for (const { index, joined } of plan.people) {
    const times = plan.posts.filter(({ author }) => author === index).map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
    for (const time of times) expect(time).toBeGreaterThan(joined);
  }
  for (const { time } of [...plan.posts, ...reactions, ...plan.follows]) {
    expect(time).toBeLessThan(span);
  }
});

test("nobody likes, saves or says anything before the post, or before they joined", () => {
  for (const post of plan.posts) {
    for (const { person, time } of reactionsTo(post, plan, follows)) {
      expect(time).toBeGreaterThan(post.time);
      expect(time).toBeGreaterThan(plan.people[person]?.joined ?? span);
    }
  }
});

test("people write to one another once they follow each other, and wait for an answer now and then", () => {
  expect(conversations.length).toBeGreaterThan(40);
  const keys = conversations.flatMap(({ messages }) => messages.map(({ key }) => key));
  expect(new Set(keys).size).toBe(keys.length);
  for (const { people, messages, read } of conversations) {
    const [one, two] = people;
    const met = plan.follows.filter(
      ({ follower, followee }) => [one, two].includes(follower) && [one, two].includes(followee),
    );
    expect(met).toHaveLength(2);
    const times = messages.map(({ time }) => time);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    for (const { time } of met) expect(times[0]).toBeGreaterThan(time);
    expect(times.at(-1)).toBeLessThan(span);
    for (const { from, body, photo } of messages) {
      expect(people).toContain(from);
      expect(messageProblem(body, photo !== null)).toBeNull();
    }
    // nobody has unread messages of their own
    const mark = read[messages.at(-1)?.from === one ? 0 : 1];
    expect(mark).toBe(messages.length);
  }
  const photos = conversations.flatMap(({ messages }) => messages.filter(({ photo }) => photo));
  expect(photos.length).toBeGreaterThan(10);
  for (const visitor of [0, 1]) {
    const own = conversations.filter(({ people }) => people.includes(visitor));
    expect(own.length).toBeGreaterThan(5);
    const unread = own.filter(
      ({ people, read, messages }) =>
        (read[people[0] === visitor ? 0 : 1] as number) < messages.length,
    );
    expect(unread.length).toBeGreaterThan(1);
    expect(unread.length).toBeLessThan(own.length);
  }
});

test("every text is one that the product accepts", () => {
  for (const { first, second, bio, zone } of plan.people) {
    for (const name of [first, second]) {
      expect(countGraphemes(name)).toBeLessThanOrEqual(limits.name);
    }
    expect(countGraphemes(bio)).toBeLessThanOrEqual(limits.bio);
    expect(isTimeZone(zone)).toBe(true);
  }
  for (const { caption, pictures } of plan.posts) {
    expect(captionProblem(caption)).toBeNull();
    expect(caption !== "" || pictures.length > 0).toBe(true);
    for (const { alt } of pictures) expect(altTextProblem(alt)).toBeNull();
    for (const { alt } of pictures) expect(alt).toMatch(/^[A-Z].{10,}\.$/);
  }
  for (const reaction of reactions) {
    if (reaction.kind === "comment") expect(commentProblem(reaction.body)).toBeNull();
  }
});

test("names come in many scripts, very long, as one word and not at all", () => {
  const names = fixedPeople.map(({ first, second }) => joinNames(first, second)).join("\n");
  for (const script of ["Latin", "Arabic", "Hebrew", "Cyrillic", "Han", "Devanagari"]) {
    expect(names).toMatch(new RegExp(`\\p{Script=${script}}`, "u"));
  }
  expect(fixedPeople.some(({ first, second }) => first === "" && second === "")).toBe(true);
  expect(fixedPeople.some(({ first, second }) => first !== "" && second === "")).toBe(true);
  expect(Math.max(...names.split("\n").map((name) => name.length))).toBeGreaterThan(60);
});

const subjects: Subject[] = [
  { kind: "landscape", land: "lake", hour: "dawn", extra: "sailboats" },
  { kind: "night", sight: "aurora" },
  { kind: "bokeh" },
  { kind: "skyline", hour: "dusk" },
  { kind: "forest", weather: "fog" },
  { kind: "facade", wall: "ochre", flowers: true },
  { kind: "stillLife", thing: "vase", fruit: "lemons", flower: "poppies" },
  { kind: "tabletop", drink: "coffee", food: "tart" },
  { kind: "meadow", flower: "daisies", light: "evening" },
  { kind: "tiles", color: "blue" },
  { kind: "market", fruit: "oranges" },
  { kind: "sill", hour: "golden", guest: "cat" },
];

test.each(subjects)(
  "the same numbers paint the same $kind, others another one",
  async (subject) => {
    const size = { width: 180, height: 120 };
    const drawn = async (key: string) => digest(await paint(subject, size, randomOf(key)));
    const first = await drawn("one");
    expect(await drawn("one")).toBe(first);
    expect(await drawn("two")).not.toBe(first);
  },
);

test("the same numbers draw the same face", async () => {
  const [one, again, two] = await Promise.all(
    ["one", "one", "two"].map((key) => portrait("woman", randomOf(key)).then(digest)),
  );
  expect(again).toBe(one);
  expect(two).not.toBe(one);
});

const countOf = (kind: string) => reactions.filter((reaction) => reaction.kind === kind).length;

const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
