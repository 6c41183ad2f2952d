import { randomUUID } from "node:crypto";
import { ask, type Member } from "../client.ts";
import { doubledMessage, wrongCounter } from "../controls.ts";
import { judge } from "../oracle.ts";
import {
  examine,
  install,
  waitForWrites,
  withOpenInstallation,
  remove,
  start,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, type Fault, type Result } from "../result.ts";
import { addressOfPost, chatOf, setSwitch } from "../writers.ts";

/** How often the same request is sent at once. */
const times = 20;

/**
 * Every member turns likes, follows and bookmarks on and off at once, and everything is sent twenty times at
 * the same moment with one key. As a control twenty are sent without a key: the oracle counts them.
 */
export const storms: Fault = {
  name: "storms",
  short: true,
  run: async ({ short }) => {
    const target = await install();
    try {
      const rounds = short ? 2 : 20;
      return [
        await toggles(target, rounds),
        await duplicates(target, rounds),
        await withoutKeys(target),
      ];
    } finally {
      await remove(target);
    }
  },
};

async function toggles(target: Target, rounds: number): Promise<Result> {
  const result = begin(target);
  await whileTheyWrite(target, async () => void (await waitForWrites(target, 8)));
  for (let round = 0; round < rounds; round += 1) {
    const [post] = target.posts;
    if (!post) throw new Error("nobody posted");
    const path = addressOfPost(post);
    const acts = target.members.flatMap((member, index) => {
      const other = target.members[(index + 1) % target.members.length] as Member;
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
        .map(({ member, to, method }) =>
          ask(target, method, to, { member }).catch(() => undefined),
        ),
    );
    // Which request came last is unknown; from here on it is known.
    for (const [index, member] of target.members.entries()) {
      const other = target.members[(index + 1) % target.members.length] as Member;
      const of = path.slice("/api/posts/".length);
      const work = { target, member, isOver: () => false };
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
  const count = target.members.length * 36 * rounds;
  return result(
    "toggle storm",
    `${count} in ${rounds} storms`,
    await examine(target, [wrongCounter]),
  );
}

async function settle(
  work: Parameters<typeof setSwitch>[0],
  one: Parameters<typeof setSwitch>[1],
): Promise<void> {
  work.target.ledger.switchOf({ kind: one.kind, by: work.member.username, of: one.of }).on = null;
  await setSwitch(work, one);
}

type Sent = { kind: "post" | "comment" | "message"; path: string; json: (key: string) => object };

const asBody = (key: string) => ({ body: key });

function everything(target: Target): Sent[] {
  const [post] = target.posts;
  const [one, , other] = target.members;
  if (!post || !one || !other) throw new Error("there is nobody");
  return [
    { kind: "post", path: "/api/posts", json: (caption) => ({ caption, pictures: [] }) },
    { kind: "comment", path: `${addressOfPost(post)}/comments`, json: asBody },
    { kind: "message", path: `${chatOf(one, other)}/messages`, json: asBody },
  ];
}

async function duplicates(target: Target, rounds: number): Promise<Result> {
  await start(target);
  const result = begin(target);
  for (let round = 0; round < rounds; round += 1) {
    for (const { kind, path, json } of everything(target)) {
      const key = `twenty times ${randomUUID()}`;
      const deed = target.ledger.intend({ kind, key });
      await Promise.all(
        Array.from({ length: times }, async () => {
          const sent = performance.now();
          const [member] = target.members;
          const headers = { "idempotency-key": key };
          try {
            await ask(target, "POST", path, { member: member ?? null, json: json(key), headers });
            deed.state = "acknowledged";
            target.ledger.acknowledge(sent);
          } catch {
            // Without an answer, refused or wrong: the ledger has it.
          }
        }),
      );
    }
  }
  const count = `${rounds * 3} × ${times} with one key each`;
  return result("duplicate submits", count, await examine(target, [doubledMessage]));
}

/** Without keys they are twenty separate requests: the oracle, which knows of one, has to count them. */
async function withoutKeys(target: Target): Promise<Result> {
  await start(target);
  const result = begin(target);
  for (const { kind, path, json } of everything(target)) {
    const key = `without a key ${randomUUID()}`;
    const deed = target.ledger.intend({ kind, key });
    const [member = null] = target.members;
    await Promise.all(
      Array.from({ length: times }, () => ask(target, "POST", path, { member, json: json(key) })),
    );
    deed.state = "acknowledged";
  }
  await examine(target, []);
  const { drift } = await withOpenInstallation(target, (installation) =>
    judge(installation, target.ledger),
  );
  const named = drift.filter((sentence) => sentence.endsWith(`is there ${times} times`)).length;
  return {
    ...result("control: submits without a key", `3 × ${times}`, {
      lost: [],
      drift: [],
      controls: [],
    }),
    wrong: named === 3 ? [] : [`the oracle named ${named} of 3 that are there ${times} times`],
    controls: [`what was sent ${times} times without a key: ${named} of 3 named`],
    notes: [`${named} of 3 named`],
  };
}
