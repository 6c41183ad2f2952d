import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { query } from "#server/test/query.ts";
import type { Installation } from "#server/installation.ts";
import { judge } from "./oracle.ts";
import type { Ledger } from "./ledger.ts";

/** Damage that the oracle has to report: without it, nobody knows whether a clean verdict means anything. */
export type Control = {
  planted: string;
  plant: (installation: Installation, ledger: Ledger) => Promise<(() => void) | void>;
  /** a sentence of the verdict */
  named: RegExp;
};

const undone = new Error("planted, looked at, and undone");

/**
 * Plants the damage, asks the oracle, and undoes it: rows by rolling back, files by what `plant` returns.
 * Returns what the oracle reported. Throws if it reported nothing.
 */
export async function proveOracle(
  installation: Installation,
  ledger: Ledger,
  { planted, plant, named }: Control,
): Promise<string> {
  let found: string | undefined;
  let undo: (() => void) | void;
  await installation.db
    .transaction(async () => {
      undo = await plant(installation, ledger);
      const { lost, drift } = await judge(installation, ledger);
      found = [...lost, ...drift].find((sentence) => named.test(sentence));
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    })
    .finally(() => undo?.());
  if (found === undefined) throw new Error(`The oracle did not see what was planted: ${planted}.`);
  return `${planted}: named`;
}

/** In a statement: the newest row that an acknowledged write of the ledger is about. */
const some = (ledger: Ledger, kind: string, withPhoto = false): string => {
  const deeds = [...ledger.deeds.values()].filter(
    (deed) => deed.kind === kind && deed.state === "acknowledged" && (!withPhoto || deed.photo),
  );
  const key = deeds.at(-1)?.key;
  if (!key) throw new Error(`No ${kind} was acknowledged: there is nothing to damage.`);
  return key;
};

export const lostComment: Control = {
  planted: "a comment deleted, its counter set right",
  plant: async ({ db }, ledger) => {
    const key = some(ledger, "comment");
    await query(
      db,
      `with gone as (delete from comments where body = $1 returning author_id, post_id)
       update posts p set comment_count = comment_count - 1 from gone
       where p.author_id = gone.author_id and p.id = gone.post_id`,
      [key],
    );
  },
  named: /^the comment .* was acknowledged and is not there$/,
};

export const doubledMessage: Control = {
  planted: "a message twice",
  plant: async ({ db }, ledger) => {
    await query(
      db,
      `insert into messages (conversation_id, seq, id, sender_id, body)
       select conversation_id, 1000000, gen_random_uuid(), sender_id, body from messages where body = $1`,
      [some(ledger, "message")],
    );
  },
  named: /^the message .* is there 2 times$/,
};

export const wrongCounter: Control = {
  planted: "a counter one too high",
  plant: async ({ db }) => {
    await query(db, "update posts set like_count = like_count + 1 where number = 1");
  },
  named: /^posts\.like_count of /,
};

export const halfAnAccount: Control = {
  planted: "an account without its password",
  plant: async ({ db }, ledger) => {
    const email = some(ledger, "sign-up");
    await query(
      db,
      "delete from credentials where account_id = (select id from accounts where email = $1)",
      [email],
    );
  },
  named: /^the account .* is there in part$/,
};

export const flippedLike: Control = {
  planted: "a follow undone in both of its rows, its counters set right",
  plant: async ({ db }) => {
    await query(
      db,
      `with gone as (
         delete from follows where id = (select max(id::text)::uuid from follows)
         returning follower_id, followee_id
       ), mirror as (
         delete from followers m using gone
         where m.follower_id = gone.follower_id and m.followee_id = gone.followee_id
       ), one as (
         update account_counters c set following = following - 1 from gone
         where c.account_id = gone.follower_id
       )
       update account_counters c set followers = followers - 1 from gone
       where c.account_id = gone.followee_id`,
    );
  },
  named: /^the follow of .* was set and is not there$/,
};

/** The original of a published photo. */
async function fileOf({ db, config }: Installation, ledger: Ledger): Promise<string> {
  const [row] = await query<{ key: string }>(
    db,
    `select i.key from posts p
     join post_pictures pp on pp.author_id = p.author_id and pp.post_id = p.id
     join images i on i.account_id = pp.author_id and i.id = pp.image_id where p.caption = $1`,
    [some(ledger, "post", true)],
  );
  return join(config.dataDir, "originals", row?.key.slice(0, 2) ?? "", row?.key ?? "");
}

export const removedImage: Control = {
  planted: "the file of a photo removed",
  plant: async (installation, ledger) => {
    const file = await fileOf(installation, ledger);
    renameSync(file, `${file}.away`);
    return () => renameSync(`${file}.away`, file);
  },
  named: /^the photo of the post .* is not there$/,
};

export const alteredImage: Control = {
  planted: "one bit of a photo turned",
  plant: async (installation, ledger) => {
    const file = await fileOf(installation, ledger);
    const bytes = readFileSync(file);
    const other = Buffer.from(bytes);
    other[other.length >> 1] = (other[other.length >> 1] ?? 0) ^ 1;
    writeFileSync(file, other);
    return () => writeFileSync(file, bytes);
  },
  named: /^the post .* shows another photo$/,
};

export const strangeFile: Control = {
  planted: "files that no row names",
  plant: async (installation, ledger) => {
    const file = await fileOf(installation, ledger);
    const stranger = join(dirname(dirname(file)), "00", "00".repeat(16));
    mkdirSync(dirname(stranger), { recursive: true });
    copyFileSync(file, stranger);
    return () => rmSync(stranger);
  },
  named: /^no row names the files of picture 0{32}$/,
};
