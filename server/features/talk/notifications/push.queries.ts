import { sql } from "#server/platform/db/sql.ts";
import type { PushAddress } from "#server/adapters/push/push.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { limits } from "#shared/limits.ts";

type NewSubscription = PushAddress & { accountId: string; sessionId: string; id: string };

/**
 * A browser belongs to one member at a time: the next to sign in there takes its subscription over,
 * and proves with its keys that it is this browser, which the endpoint alone does not. False where
 * another account has the endpoint with other keys. Beyond the limit the oldest are deleted.
 */
export async function insertSubscription(db: Database, one: NewSubscription): Promise<boolean> {
  await db.run(sql`
    delete from push_subscriptions
    where endpoint = ${one.endpoint}
      and (account_id = ${one.accountId} or (p256dh = ${one.p256dh} and auth = ${one.auth}))
  `);
  const inserted = await db.query(sql`
    insert into push_subscriptions (account_id, id, session_id, endpoint, p256dh, auth)
    values (
      ${one.accountId}, ${one.id}, ${one.sessionId}, ${one.endpoint}, ${one.p256dh}, ${one.auth}
    )
    on conflict (endpoint) do nothing
    returning id
  `);
  if (inserted.length === 0) return false;
  await db.run(sql`
    delete from push_subscriptions where account_id = ${one.accountId} and id in (
      select id from push_subscriptions where account_id = ${one.accountId}
      order by id desc offset ${limits.notifications.pushSubscriptions}
    )
  `);
  return true;
}

export const deleteOfSession = (db: Database, accountId: string, sessionId: string) =>
  db.run(sql`
    delete from push_subscriptions where account_id = ${accountId} and session_id = ${sessionId}
  `);

export const deleteSubscription = (db: Database, accountId: string, id: string) =>
  db.run(sql`
    delete from push_subscriptions where account_id = ${accountId} and id = ${id}
  `);

/** Whether the browser of this session is subscribed. */
export const isSubscribed = (db: Database, accountId: string, sessionId: string) =>
  db.any(sql`
    select from push_subscriptions where account_id = ${accountId} and session_id = ${sessionId}
  `);

/** The push services in use, the busiest first. For operators: it reads the whole tables. */
export const busiestServices = (db: Database, most: number) =>
  db.query<{ origin: string; subscriptions: number }>(sql`
    select substring(endpoint from '^https?://[^/?#]+') as origin, count(*)::int as subscriptions
    from (
      select endpoint from push_subscriptions
      union all
      select endpoint from app_push_subscriptions
    ) addresses
    group by 1
    order by 2 desc, 1
    limit ${most}
  `);

/** `language`: the one its member chose. */
type Subscription = PushAddress & { id: string; language: string | null };

/** Browsers of an existing member with a valid session: those that may get a push now. */
export const subscriptionsOf = (db: Database, accountId: string, id: string | null = null) =>
  db.query<Subscription>(sql`
    select p.id, p.endpoint, p.p256dh, p.auth, a.language
    from push_subscriptions p
    join sessions s on s.id = p.session_id and s.account_id = p.account_id
    join accounts a on a.id = p.account_id
    where p.account_id = ${accountId} and (${id}::uuid is null or p.id = ${id}::uuid)
      and s.expires_at > now() and ${visibleAccount("a")}
  `);
