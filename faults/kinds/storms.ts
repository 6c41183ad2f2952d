import { randomUUID } from "node:crypto";
import { ask, type Member } from "../client.ts";
import { doubledMessage, wrongCounter } from "../controls.ts";
import { judge } from "../oracle.ts";
import {
  examine,
  install,
  moreIsWritten,
  opened,
  remove,
  start,
  whileTheyWrite,
  type Installed,
} from "../place.ts";
import { begin, type Fault, type Result } from "../result.ts";
import { addressOfPost, chatOf, setSwitch } from "../writers.ts";

/** The same thing so many times at once. */
const times = 20;

/**
 * Every member turns likes, follows and saved posts on and off at once, and everything is sent twenty times
 * in the same moment with one key. As a control twenty are sent without a key: the oracle counts them.
 */
export const storms: Fault = {
  name: "storms",
  short: true,
  run: async ({ short }) => {
    const place = await install();
    try {
      const rounds = short ? 2 : 20;
      return [
        await toggles(place, rounds),
        await duplicates(place, rounds),
        await withoutKeys(place),
      ];
    } finally {
      await remove(place);
    }
  },
};

async function toggles(place: Installed, rounds: number): Promise<Result> {
  const result = begin(place);
  await whileTheyWrite(place, async () => void (await moreIsWritten(place, 8)));
  for (let round = 0; round < rounds; round += 1) {
    const [post] = place.posts;
    if (!post) throw new Error("nobody posted");
    const path = addressOfPost(post);
    const acts = place.members.flatMap((member, index) => {
      const other = place.members[(index + 1) % place.members.length] as Member;
      return [`${path}/like`, `${path}/save`, `/api/accounts/${other.username}/follow`].flatMap(
        (to) =>
          Array.from({ length: 12 }, (_, turn) => ({
            member,
            to,
            method: turn % 2 ? "PUT" : "DELETE",
          })),
      );
    });
    await Promise.all(
      acts
        .toSorted(() => Math.random() - 0.5)
        .map(({ member, to, method }) => ask(place, method, to, { member }).catch(() => undefined)),
    );
    // Nobody knows who came last; from here on everybody does.
    for (const [index, member] of place.members.entries()) {
      const other = place.members[(index + 1) % place.members.length] as Member;
      const of = path.slice("/api/posts/".length);
      const work = { place, member, isOver: () => false };
      for (const kind of ["like", "save"] as const) {
        await settle(work, { kind, of, path: `${path}/${kind}` });
      }
      await settle(work, {
        kind: "follow",
        of: other.username,
        path: `/api/accounts/${other.username}/follow`,
      });
    }
  }
  const count = place.members.length * 36 * rounds;
  return result(
    "toggle storm",
    `${count} in ${rounds} storms`,
    await examine(place, [wrongCounter]),
  );
}

async function settle(
  work: Parameters<typeof setSwitch>[0],
  one: Parameters<typeof setSwitch>[1],
): Promise<void> {
  work.place.ledger.switchOf({ kind: one.kind, by: work.member.username, of: one.of }).on = null;
  await setSwitch(work, one);
}

type Sent = { kind: "post" | "comment" | "message"; path: string; json: (key: string) => object };

const asBody = (key: string) => ({ body: key });

function everything(place: Installed): Sent[] {
  const [post] = place.posts;
  const [one, , other] = place.members;
  if (!post || !one || !other) throw new Error("there is nobody");
  return [
    { kind: "post", path: "/api/posts", json: (caption) => ({ caption, pictures: [] }) },
    { kind: "comment", path: `${addressOfPost(post)}/comments`, json: asBody },
    { kind: "message", path: `${chatOf(one, other)}/messages`, json: asBody },
  ];
}

async function duplicates(place: Installed, rounds: number): Promise<Result> {
  await start(place);
  const result = begin(place);
  for (let round = 0; round < rounds; round += 1) {
    for (const { kind, path, json } of everything(place)) {
      const key = `twenty times ${randomUUID()}`;
      const deed = place.ledger.intend({ kind, key });
      await Promise.all(
        Array.from({ length: times }, async () => {
          const sent = performance.now();
          const [member] = place.members;
          const headers = { "idempotency-key": key };
          try {
            await ask(place, "POST", path, { member: member ?? null, json: json(key), headers });
            deed.state = "acknowledged";
            place.ledger.acknowledge(sent);
          } catch {
            // Unanswered, refused or wrong: the ledger has it.
          }
        }),
      );
    }
  }
  const count = `${rounds * 3} × ${times} with one key each`;
  return result("duplicate submits", count, await examine(place, [doubledMessage]));
}

/** Without keys they are twenty wishes: the oracle, told of one, has to count them. */
async function withoutKeys(place: Installed): Promise<Result> {
  await start(place);
  const result = begin(place);
  for (const { kind, path, json } of everything(place)) {
    const key = `without a key ${randomUUID()}`;
    const deed = place.ledger.intend({ kind, key });
    const [member = null] = place.members;
    await Promise.all(
      Array.from({ length: times }, () => ask(place, "POST", path, { member, json: json(key) })),
    );
    deed.state = "acknowledged";
  }
  await examine(place, []);
  const { drift } = await opened(place, (installation) => judge(installation, place.ledger));
  const named = drift.filter((sentence) => sentence.endsWith(`is there ${times} times`)).length;
  return {
    ...result("control: submits without a key", `3 × ${times}`, {
      lost: [],
      drift: [],
      controls: [],
    }),
    wrong: named === 3 ? [] : [`the oracle named ${named} of 3 that are there ${times} times`],
    controls: [`what was sent ${times} times without a key: ${named} of 3 named`],
    told: [`${named} of 3 named`],
  };
}
