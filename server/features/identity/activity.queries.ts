import { sql } from "#server/platform/db/sql.ts";
import type { KeyedRow } from "#server/platform/db/cursors.ts";
import { epochMs } from "#server/platform/db/times.ts";
import type { Database } from "#server/platform/db/database.ts";
import type { ActivityKind, ActivityView } from "#shared/activity.ts";

type NewActivity = {
  accountId: string;
  id: string;
  kind: ActivityKind;
  detail: string;
  network: string;
  userAgent: string;
  /** another event with the same one is counted in the existing row */
  bucket: string;
  /** events beyond `most` rows since this id are one row a day of each kind */
  since: string;
  most: number;
};

/** Does nothing where the account is gone. Primary key, account_activity_bucket. */
export const noteActivity = (db: Database, one: NewActivity) =>
  db.run(sql.named("activity.note")`
    insert into account_activity (account_id, id, kind, detail, network, user_agent, bucket)
    select a.id, ${one.id}::uuid, ${one.kind}::text,
      case when busy then '' else ${one.detail}::text end,
      case when busy then '' else ${one.network}::text end,
      case when busy then '' else ${one.userAgent}::text end,
      case when busy then ${one.kind}::text || to_char(now(), ' YYYY-MM-DD')
        else ${one.bucket}::text
      end
    from accounts a
    cross join lateral (
      select count(*) >= ${one.most} as busy from account_activity r
      where r.account_id = a.id and r.id > ${one.since}::uuid
    ) recent
    where a.id = ${one.accountId}::uuid
    on conflict (account_id, bucket)
    do update set count = account_activity.count + 1, last_at = now()
  `);

export type ActivityRow = Omit<ActivityView, "device"> & { userAgent: string };

/** An account's own, newest first. Primary key, backwards. */
export const listActivity = (
  db: Database,
  { accountId, below, limit }: { accountId: string; below: string; limit: number },
) =>
  db.query<KeyedRow<ActivityRow>>(sql.named("activity.list")`
    select json_build_array(id) as key, json_build_object(
      'id', id,
      'kind', kind,
      'detail', detail,
      'count', count,
      'at', ${epochMs("last_at")},
      'network', network,
      'userAgent', user_agent
    ) as item
    from account_activity
    where account_id = ${accountId} and id < ${below}
    order by id desc
    limit ${limit}
  `);

/** Deletes entries that began before this id. Index account_activity_age. */
export const deleteActivityBefore = (db: Database, id: string) =>
  db.run(sql`delete from account_activity where id < ${id}`);
