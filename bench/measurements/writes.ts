import { sql } from "#server/platform/db/sql.ts";
import type { Asked } from "../load.ts";
import { compareCpu, type Contender } from "../cpu.ts";
import type { Installation } from "../installation.ts";
import type { Member, Product, Statement } from "../product.ts";
import { startControl, type MeasuredServer } from "../servers/measured-server.ts";
import type { Figure } from "../table.ts";

/** Posts and accounts that are liked and followed in turn, so that no two requests wait for one row. */
const spread = 20;
const goal = 1000;

type Write = {
  what: string;
  /** its call, and the one that undoes it */
  calls: (index: number) => [Asked, Asked];
  /** what the two do, for the statements they send */
  work: (index: number) => [() => Promise<unknown>, () => Promise<unknown>];
};

const switched = (path: string): [Asked, Asked] => [
  { method: "PUT", path },
  { method: "DELETE", path },
];

/**
 * A like and a follow through the calls for programs, each with its undoing, compared with a bare server that
 * runs the same statements in the same transactions; and a text post, which has no undoing.
 */
export async function writes(
  installation: Installation,
  product: Product,
  { viewer, cookie }: Member,
  postcard: MeasuredServer,
): Promise<Figure[]> {
  const { features, db } = product;
  const { databaseUrl, databaseCpu } = installation;
  const effort = { count: 300, rate: 60, rounds: 5, databaseCpu };
  const headers = { cookie };
  const others = await db.query<{ username: string; number: number }>(sql`
    select a.username, p.number
    from posts p
    join accounts a on a.id = p.author_id
    where p.number = 1 and a.id <> ${viewer.id}
      and not exists (
        select from follows where follower_id = ${viewer.id} and followee_id = a.id
      )
    order by a.id
    limit ${spread}
  `);
  const other = (index: number) => others[index % others.length] as (typeof others)[number];
  const kinds: Write[] = [
    {
      what: "A like",
      calls: (index) => switched(`/api/posts/${other(index).username}/1/like`),
      work: (index) => {
        const at = { address: other(index).username, number: 1 };
        return [() => features.likes.like(viewer, at), () => features.likes.unlike(viewer, at)];
      },
    },
    {
      what: "A follow",
      calls: (index) => switched(`/api/accounts/${other(index).username}/follow`),
      work: (index) => {
        const at = { address: other(index).username };
        return [
          () => features.follows.follow(viewer, at),
          () => features.follows.unfollow(viewer, at),
        ];
      },
    },
  ];

  const figures: Figure[] = [];
  for (const { what, calls, work } of kinds) {
    const sent: Statement[][] = [];
    for (const index of others.keys()) {
      for (const each of work(index)) sent.push((await product.recording(each)).statements);
    }
    const texts = sent.slice(0, 2).map((statements) => statements.map(({ text }) => text));
    const turns = sent.map((statements) => statements.map(({ values }) => values));
    const bare = await startControl("bare-writes", { databaseUrl, texts, turns });
    try {
      const ask = (index: number) => calls(Math.floor(index / 2))[index % 2] as Asked;
      const ours: Contender = { server: postcard, path: "/", headers, ask };
      const control: Contender = { server: bare, path: "/", headers: {} };
      const [measured, least] = await compareCpu(ours, control, effort);
      const both = measured.withDatabase / least.withDatabase;
      figures.push({
        what: `${what}, and its undoing, against a bare server with the same statements: CPU of each`,
        value:
          `${us(measured.withDatabase)} with the database (${us(measured.cpu)} without), ` +
          `${both.toFixed(2)} × (bare ${us(least.withDatabase)} and ${us(least.cpu)})`,
        goal: `≤ ${us(goal)}`,
        met: measured.withDatabase <= goal,
      });
    } finally {
      await bare.stop();
    }
  }

  const body = JSON.stringify({ caption: "Low tide at noon, and nobody on the pier." });
  const post: Contender = {
    server: postcard,
    path: "/",
    headers: { ...headers, "content-type": "application/json" },
    ask: () => ({ method: "POST", path: "/api/posts", body }),
  };
  const [measured] = await compareCpu(post, post, { ...effort, rounds: 3 });
  figures.push({
    what: "A post of words, answered as it is shown: CPU",
    value: `${us(measured.withDatabase)} with the database (${us(measured.cpu)} without)`,
    goal: `≤ ${us(goal)}`,
    met: measured.withDatabase <= goal,
  });
  return figures;
}

const us = (microseconds: number) => `${Math.round(microseconds)} µs`;
