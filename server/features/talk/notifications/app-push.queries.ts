import { sql } from "#server/platform/db/sql.ts";
import type { PushAddress } from "#server/adapters/push/push.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { limits } from "#shared/limits.ts";

/**
 * Whose acts an app wants notifications of: everybody's, those of accounts its member follows,
 * those of followers, nobody's.
 */
export const policies = ["all", "followed", "follower", "none"] as const;
type Policy = (typeof policies)[number];

export type AppSubscription = {
  id: string;
  endpoint: string;
  standard: boolean;
  alerts: string[];
  policy: Policy;
};

/** The account, and which of its tokens. */
type Owner = { accountId: string; tokenId: string };
type NewSubscription = Owner & AppSubscription & PushAddress & { sealedToken: string };

const shown = sql`id, endpoint, standard, alerts, policy`;

/**
 * Replaces the subscription of the token. False where the token ended meanwhile. An endpoint has
 * one subscription of an account, whatever tokens the app had before; beyond the limit the oldest
 * are deleted. One after the other, so that each sees those before.
 */
export async function insertSubscription(db: Database, one: NewSubscription): Promise<boolean> {
  await db.run(sql`
    select from accounts where id = ${one.accountId} for no key update
  `);
  const rows = await db.query(sql`
    insert into app_push_subscriptions
      (account_id, id, token_id, endpoint, p256dh, auth, standard, alerts, policy, sealed_token)
    select account_id, ${one.id}::uuid, id, ${one.endpoint}, ${one.p256dh}, ${one.auth},
      ${one.standard}::boolean, ${one.alerts}::text[], ${one.policy}, ${one.sealedToken}
    from app_tokens where id = ${one.tokenId} and account_id = ${one.accountId}
    for key share
    on conflict (token_id) do update set
      id = excluded.id, endpoint = excluded.endpoint, p256dh = excluded.p256dh,
      auth = excluded.auth, standard = excluded.standard, alerts = excluded.alerts,
      policy = excluded.policy, created_at = excluded.created_at,
      sealed_token = excluded.sealed_token
    returning id
  `);
  if (rows.length === 0) return false;
  await db.run(sql`
    delete from app_push_subscriptions
    where account_id = ${one.accountId} and id <> ${one.id} and (
      endpoint = ${one.endpoint}
      or id in (
        select id from app_push_subscriptions where account_id = ${one.accountId}
        order by id desc offset ${limits.notifications.pushSubscriptions}
      )
    )
  `);
  return true;
}

/** Unique key of token_id. */
export const findSubscription = (db: Database, { accountId, tokenId }: Owner) =>
  db.first<AppSubscription>(sql`
    select ${shown}
    from app_push_subscriptions
    where token_id = ${tokenId} and account_id = ${accountId}
  `);

export const updateSubscription = (
  db: Database,
  { accountId, tokenId, alerts, policy }: Owner & Pick<AppSubscription, "alerts" | "policy">,
) =>
  db.first<AppSubscription>(sql`
    update app_push_subscriptions
    set alerts = ${alerts}::text[], policy = ${policy}
    where token_id = ${tokenId} and account_id = ${accountId}
    returning ${shown}
  `);

export const deleteOfToken = (db: Database, { accountId, tokenId }: Owner) =>
  db.run(sql`
    delete from app_push_subscriptions where token_id = ${tokenId} and account_id = ${accountId}
  `);

/** Primary key. */
export const deleteSubscription = (db: Database, accountId: string, id: string) =>
  db.run(sql`
    delete from app_push_subscriptions where account_id = ${accountId} and id = ${id}
  `);

/** Apps of an existing member that want this notification. Primary key. */
export const subscriptionsFor = (
  db: Database,
  { accountId, alert }: { accountId: string; alert: string },
) =>
  db.column<string>(sql`
    select p.id
    from app_push_subscriptions p
    join accounts a on a.id = p.account_id
    where p.account_id = ${accountId} and ${alert} = any(p.alerts) and p.policy <> 'none'
      and ${visibleAccount("a")}
  `);

type Sent = PushAddress & { standard: boolean; tokenId: string; sealedToken: string | null };
type Telling = { accountId: string; id: string; alert: string; actorId: string };

/** Where one of them gets this notification, if it still wants it. Primary keys. */
export const addressFor = (db: Database, { accountId, id, alert, actorId }: Telling) =>
  db.first<Sent>(sql`
    select p.endpoint, p.p256dh, p.auth, p.standard, p.token_id as "tokenId",
      p.sealed_token as "sealedToken"
    from app_push_subscriptions p
    join accounts a on a.id = p.account_id
    where p.account_id = ${accountId} and p.id = ${id} and ${alert} = any(p.alerts)
      and ${visibleAccount("a")}
      and case p.policy
        when 'all' then true
        when 'followed' then exists (
          select from follows where follower_id = ${accountId} and followee_id = ${actorId}
        )
        when 'follower' then exists (
          select from followers where followee_id = ${accountId} and follower_id = ${actorId}
        )
        else false
      end
  `);
