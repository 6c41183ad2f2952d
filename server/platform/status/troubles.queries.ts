import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";

/** How many days a trouble is stored after its end: notifications show its text. */
const retentionDays = 90;

/** What operators are notified of. */
export type TroubleKind = "backup" | "drill" | "pictures" | "disk";

type Seen = { id: string; kind: string; place: string; said: string };

/**
 * Records a trouble as it is now. `tells`: whether this check is the one that notifies operators,
 * of its beginning or once it has lasted another day. A server that finds the same at this moment
 * waits here for our commit. troubles_open.
 */
export const recordTrouble = (db: Database, { id, kind, place, said }: Seen) =>
  db.one<{ id: string; tells: boolean }>(sql`
    insert into troubles as t (id, kind, place, said) values (${id}, ${kind}, ${place}, ${said})
    on conflict (kind, place) where ended_at is null do update set
      said = excluded.said,
      seen_at = now(),
      told_at = case when t.told_at <= now() - interval '1 day' then now() else t.told_at end
    returning id, told_at = now() as tells
  `);

/** A trouble that neither ended nor got worse. troubles_open. */
export const touchTrouble = (db: Database, kind: string, place: string) =>
  db.run(sql`
    update troubles set seen_at = now()
    where kind = ${kind} and place = ${place} and ended_at is null
  `);

/** The id of the trouble that ended with this; null if there was none. troubles_open. */
export const endTrouble = (
  db: Database,
  { kind, place, recovery }: { kind: string; place: string; recovery: string },
) =>
  db.value<string>(sql`
    update troubles set ended_at = now(), recovery = ${recovery}
    where kind = ${kind} and place = ${place} and ended_at is null
    returning id
  `);

/**
 * Ends troubles that no server checks any more, because their server or folder is gone, without a
 * notification; deletes old ones.
 */
export async function expireTroubles(db: Database): Promise<void> {
  await db.run(sql`
    update troubles set ended_at = now() where ended_at is null and seen_at < now() - interval '1 hour'
  `);
  await db.run(sql`
    delete from troubles where ended_at < now() - make_interval(days => ${retentionDays}::integer)
  `);
}

/** A problem that lasts, and what to do; `beganAt` is epoch ms. */
export type OpenTrouble = { id: string; kind: TroubleKind; said: string; beganAt: number };

/** Current troubles, the oldest first. troubles_open. */
export const openTroubles = (db: Database) =>
  db.query<OpenTrouble>(sql`
    select id, kind, said, floor(extract(epoch from began_at) * 1000)::float8 as "beganAt"
    from troubles where ended_at is null
    order by began_at, id
  `);
