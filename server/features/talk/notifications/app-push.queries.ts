import { sql } from "#server/db/sql.ts";
import type { PushAddress } from "#server/adapters/push/push.ts";
import type { Database } from "#server/db/database.ts";
import { visibleAccount } from "#server/features/people/index.ts";
import { limits } from "#shared/limits.ts";

/** Of whose acts an app wants to be told: everybody's, of those its member follows, of their followers', nobody's. */
export const policies = ["all", "followed", "follower", "none"] as const;
type Policy = (typeof policies)[number];

export type AppSubscription = {
  id: string;
  endpoint: string;
  standard: boolean;
  alerts: string[];
  policy: Policy;
};

/** Whose, and of which of their tokens. */
type Owner = { accountId: string; tokenId: string };
type NewSubscription = Owner & AppSubscription & PushAddress;

const shown = ["id", "endpoint", "standard", "alerts", "policy"] as const;

/**
 * In place of what the token had. False where the token ended meanwhile. An endpoint hears of an account once,
 * whatever tokens the app had before; the oldest of too many go. One after the other, so that each sees those before.
 */
export async function insertSubscription(db: Database, one: NewSubscription): Promise<boolean> {
  await sql`
    select from accounts where id = ${one.accountId} for no key update
  `.execute(db.kysely);
  const { rows } = await sql`
    insert into app_push_subscriptions
      (account_id, id, token_id, endpoint, p256dh, auth, standard, alerts, policy)
    select account_id, ${one.id}::uuid, id, ${one.endpoint}, ${one.p256dh}, ${one.auth},
      ${one.standard}::boolean, ${one.alerts}::text[], ${one.policy}
    from app_tokens where id = ${one.tokenId} and account_id = ${one.accountId}
    for key share
    on conflict (token_id) do update set
      id = excluded.id, endpoint = excluded.endpoint, p256dh = excluded.p256dh,
      auth = excluded.auth, standard = excluded.standard, alerts = excluded.alerts,
      policy = excluded.policy, created_at = excluded.created_at
    returning id
  `.execute(db.kysely);
  if (rows.length === 0) return false;
  await sql`
    delete from app_push_subscriptions
    where account_id = ${one.accountId} and id <> ${one.id} and (
      endpoint = ${one.endpoint}
      or id in (
        select id from app_push_subscriptions where account_id = ${one.accountId}
        order by id desc offset ${limits.notifications.pushSubscriptions}
      )
    )
  `.execute(db.kysely);
  return true;
}

/** Unique key of token_id. */
export async function findSubscription(
  db: Database,
  { accountId, tokenId }: Owner,
): Promise<AppSubscription | null> {
  const row = await db.kysely
    .selectFrom("app_push_subscriptions")
    .select(shown)
    .where("token_id", "=", tokenId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? null;
}

export async function updateSubscription(
  db: Database,
  { accountId, tokenId, ...wanted }: Owner & Pick<AppSubscription, "alerts" | "policy">,
): Promise<AppSubscription | null> {
  const row = await db.kysely
    .updateTable("app_push_subscriptions")
    .set(wanted)
    .where("token_id", "=", tokenId)
    .where("account_id", "=", accountId)
    .returning(shown)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteOfToken(db: Database, { accountId, tokenId }: Owner): Promise<void> {
  await db.kysely
    .deleteFrom("app_push_subscriptions")
    .where("token_id", "=", tokenId)
    .where("account_id", "=", accountId)
    .execute();
}

/** Primary key. */
export async function deleteSubscription(
  db: Database,
  accountId: string,
  id: string,
): Promise<void> {
  await db.kysely
    .deleteFrom("app_push_subscriptions")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .execute();
}

/** Apps of a member who is there that want to be told this. Primary key. */
export async function subscriptionsFor(
  db: Database,
  { accountId, alert }: { accountId: string; alert: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id
    from app_push_subscriptions p
    join accounts a on a.id = p.account_id
    where p.account_id = ${accountId} and ${alert} = any(p.alerts) and p.policy <> 'none'
      and ${visibleAccount("a")}
  `.execute(db.kysely);
  return rows.map(({ id }) => id);
}

type Telling = { accountId: string; id: string; alert: string; actorId: string };

/** Where one of them is told this of somebody, if it still wants to be. Primary keys. */
export async function addressFor(
  db: Database,
  { accountId, id, alert, actorId }: Telling,
): Promise<(PushAddress & { standard: boolean }) | null> {
  const { rows } = await sql<PushAddress & { standard: boolean }>`
    select p.endpoint, p.p256dh, p.auth, p.standard
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
  `.execute(db.kysely);
  return rows[0] ?? null;
}
