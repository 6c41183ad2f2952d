import { join } from "node:path";
import { keysIn, filesBelow } from "#server/test/traces.ts";
import { query } from "#server/test/query.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import { checkImages } from "#server/features/administration/index.ts";
import type { Installation } from "#server/installation.ts";
import type { Deed, Ledger } from "./ledger.ts";
import { sha256 } from "./photos.ts";

/**
 * What differs from what was acknowledged. `lost`: acknowledged writes that are missing, incomplete, or not
 * what was sent. `drift`: what nobody asked for: something twice or half, a counter that differs from its
 * rows, an image whose files are missing or wrong, files that no row names. One sentence each.
 */
export type Verdict = { lost: string[]; drift: string[] };

const hour = 60 * 60_000;
/** When every sweep has removed what a crash left (docs/operations.md): a day and a week. */
const inAWeek = () => new Date(Date.now() + 8 * 24 * hour);

/** Removes what the documented sweeps remove over time: uploads that were never finished or used. */
export async function sweep({ features }: Installation): Promise<void> {
  await features.resumableUploads.sweep(inAWeek());
  await features.images.sweep(inAWeek());
}

/** Compares an idle installation with the ledger. Changes nothing. */
export async function judge(installation: Installation, ledger: Ledger): Promise<Verdict> {
  const verdict: Verdict = { lost: [], drift: [] };
  await judgeDeeds(installation, ledger, verdict);
  await judgeSwitches(installation, ledger, verdict);
  await judgePhotos(installation, ledger, verdict);
  await judgeSignUps(installation, ledger, verdict);
  for (const { counter, id, stored, counted } of await reconcileCounters(installation.db)) {
    verdict.drift.push(`${counter} of ${id} is ${stored}, the rows say ${counted}`);
  }
  await judgeFiles(installation, verdict);
  return verdict;
}

const written: Record<Deed["kind"], string> = {
  post: "select caption as key from posts",
  comment: "select body as key from comments",
  message: "select body as key from messages",
  "sign-up": "select email as key from accounts",
};

async function judgeDeeds({ db }: Installation, { deeds }: Ledger, verdict: Verdict) {
  for (const [kind, text] of Object.entries(written)) {
    const counts = new Map<string, number>();
    for (const { key } of await query<{ key: string }>(db, text)) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const deed of deeds.values()) {
      if (deed.kind !== kind) continue;
      const times = counts.get(deed.key) ?? 0;
      counts.delete(deed.key);
      if (times === 0 && deed.state === "acknowledged") {
        verdict.lost.push(`the ${kind} ${deed.key} was acknowledged and is not there`);
      }
      if (times > 1) verdict.drift.push(`the ${kind} ${deed.key} is there ${times} times`);
    }
    for (const key of counts.keys()) verdict.drift.push(`nobody sent the ${kind} ${key}`);
  }
}

const switched = {
  like: `select l_by.username as by, author.username || '/' || p.number as of
    from likes l join accounts l_by on l_by.id = l.account_id
    join posts p on p.author_id = l.author_id and p.id = l.post_id
    join accounts author on author.id = p.author_id`,
  save: `select by.username as by, author.username || '/' || p.number as of
    from bookmarks b join accounts by on by.id = b.account_id
    join posts p on p.author_id = b.author_id and p.id = b.post_id
    join accounts author on author.id = p.author_id`,
  follow: `select by.username as by, whom.username as of from follows f
    join accounts by on by.id = f.follower_id join accounts whom on whom.id = f.followee_id`,
};

async function judgeSwitches({ db }: Installation, { switches }: Ledger, verdict: Verdict) {
  for (const [kind, text] of Object.entries(switched)) {
    const rows = await query<{ by: string; of: string }>(db, text);
    const there = new Set(rows.map(({ by, of }) => `${by} ${of}`));
    for (const one of switches.values()) {
      if (one.kind !== kind) continue;
      const isOn = there.delete(`${one.by} ${one.of}`);
      if (one.on === null || one.on === isOn) continue;
      const [was, is] = one.on ? ["set", "not there"] : ["withdrawn", "still there"];
      verdict.lost.push(`the ${kind} of ${one.of} by ${one.by} was ${was} and is ${is}`);
    }
    for (const name of there) verdict.drift.push(`nobody set the ${kind} ${name}`);
  }
}

/** A post with a photo shows exactly the file that was sent. */
async function judgePhotos({ db, store }: Installation, { deeds }: Ledger, verdict: Verdict) {
  const rows = await query<{ caption: string; keys: string[] }>(
    db,
    `select p.caption, array_remove(array_agg(i.key), null) as keys from posts p
     left join post_pictures pp on pp.author_id = p.author_id and pp.post_id = p.id
     left join images i on i.account_id = pp.author_id and i.id = pp.image_id
     group by p.author_id, p.id`,
  );
  for (const { caption, keys } of rows) {
    const deed = deeds.get(`post ${caption}`);
    if (!deed) continue;
    const named = `the post ${caption}`;
    if (keys.length !== (deed.photo ? 1 : 0)) {
      verdict.lost.push(`${named} has ${keys.length} photos`);
      continue;
    }
    const [key] = keys;
    if (!key) continue;
    const original = await store.openOriginal(key);
    const bytes = original ? Buffer.concat(await original.read().toArray()) : null;
    if (!bytes) verdict.lost.push(`the photo of ${named} is not there`);
    else if (sha256(bytes) !== deed.photo) verdict.lost.push(`${named} shows another photo`);
  }
}

/** An account exists with everything that belongs to it, or not at all. */
async function judgeSignUps({ db }: Installation, _ledger: Ledger, verdict: Verdict) {
  const rows = await query<{ email: string; half: boolean }>(
    db,
    `select a.email, a.avatar_image_id is null
        or not exists (select from credentials c where c.account_id = a.id and c.password is not null)
        or not exists (select from usernames u where u.account_id = a.id and u.username = a.username)
        or not exists (select from account_counters c where c.account_id = a.id)
        or not exists (select from images i where i.account_id = a.id and i.id = a.avatar_image_id)
        as half
     from accounts a`,
  );
  for (const { email, half } of rows) {
    if (half) verdict.lost.push(`the account ${email} is there in part`);
  }
}

async function judgeFiles(installation: Installation, { drift }: Verdict) {
  const { db, store, config } = installation;
  await checkImages(installation, {
    onFault: ({ fault, key, file }) => void drift.push(`picture ${key}: ${file} is ${fault}`),
  });
  const rows = await query<{ key: string }>(
    db,
    "select key from images union select key from visitor_images",
  );
  const named = new Set(rows.map(({ key }) => key));
  for (const key of await keysIn(store)) {
    if (!named.has(key)) drift.push(`no row names the files of picture ${key}`);
  }
  for (const folder of ["tmp", "uploads"]) {
    for (const file of await filesBelow(join(config.dataDir, folder))) {
      if (!file.endsWith(".draft")) drift.push(`${file} was left over`);
    }
  }
}
