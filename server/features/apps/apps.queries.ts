import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { ownDetails, type OwnDetails } from "#server/features/identity/index.ts";
import { accountSummary, visibleAccount } from "#server/features/people/index.ts";
import type { AskingAccount } from "#server/features/types.ts";
import type { AccountSummary } from "#shared/views.ts";

export type AppRow = {
  id: string;
  client_id: string;
  secret_hash: Buffer;
  name: string;
  website: string;
  redirect_uris: string[];
  scopes: string[];
};

type NewApp = AppRow;

export const insertApp = (db: Database, app: NewApp) =>
  db.run(sql`insert into apps ${sql.row(app)}`);

/** Unique key apps_client_id_key. */
export const findApp = (db: Database, clientId: string) =>
  db.first<AppRow>(sql`
    select id, client_id, secret_hash, name, website, redirect_uris, scopes
    from apps
    where client_id = ${clientId}
  `);

export type NewCode = {
  code_hash: Buffer;
  app_id: string;
  account_id: string;
  redirect_uri: string;
  scopes: string[];
  challenge: string | null;
};

/** `most` of an account at most: the oldest go. app_codes_account. */
export async function insertCode(
  db: Database,
  code: NewCode,
  { seconds, most }: { seconds: number; most: number },
): Promise<void> {
  await db.run(sql`
    delete from app_codes where code_hash in (
      select code_hash from app_codes where account_id = ${code.account_id}
      order by expires_at desc offset ${most - 1}
    )
  `);
  const expires = sql`now() + make_interval(secs => ${seconds}::integer)`;
  await db.run(sql`insert into app_codes ${sql.row({ ...code, expires_at: expires })}`);
}

type TakenCode = Omit<NewCode, "code_hash" | "app_id">;

/**
 * Deletes the code of an app, valid or not; null where it has expired, or there is none. Primary
 * key.
 */
export async function takeCode(db: Database, hash: Buffer, appId: string) {
  const rows = await db.query<TakenCode & { fresh: boolean }>(sql`
    delete from app_codes where code_hash = ${hash} and app_id = ${appId}
    returning account_id, redirect_uri, scopes, challenge, expires_at > now() as fresh
  `);
  const [code] = rows;
  return code?.fresh ? code : null;
}

type NewToken = {
  token_hash: Buffer;
  id: string;
  app_id: string;
  account_id: string | null;
  scopes: string[];
  /** the code it was exchanged for, and that code's challenge */
  code_hash?: Buffer | null;
  code_challenge?: string | null;
};

/** The newest `most` of the account, or of the app itself, stay. app_tokens_account, app_tokens_app. */
export async function insertToken(db: Database, token: NewToken, most: number): Promise<void> {
  const sameOwner = token.account_id
    ? sql`account_id = ${token.account_id}`
    : sql`app_id = ${token.app_id} and account_id is null`;
  await db.run(sql`
    delete from app_tokens where id in (
      select id from app_tokens where ${sameOwner} order by used_at desc offset ${most - 1}
    )
  `);
  await db.run(sql`insert into app_tokens ${sql.row(token)}`);
}

export type TokenRow = {
  token_id: string;
  created_at: Date;
  scopes: string[];
  use_unnoted: boolean;
  app: { id: string; name: string; website: string; redirectUris: string[]; scopes: string[] };
  /** null: of the app itself */
  member: { account: AccountSummary; own: OwnDetails } | null;
};

/** app_tokens, apps and accounts by their primary keys: part of every request of an app. */
export function tokenReader(db: Database, noteUseAfter: number) {
  const caller = sql`
    select
      t.id as token_id,
      t.created_at,
      t.scopes,
      t.used_at < now() - make_interval(secs => ${noteUseAfter}::integer) as use_unnoted,
      json_build_object('id', app.id, 'name', app.name, 'website', app.website,
        'redirectUris', app.redirect_uris, 'scopes', app.scopes) as app,
      case when t.account_id is not null then json_build_object(
        'account', ${accountSummary("a")},
        'own', ${ownDetails(sql`'moderator', a.role = 'moderator'`)}
      ) end as member
    from app_tokens t
    join apps app on app.id = t.app_id
    left join accounts a on a.id = t.account_id
    where (t.account_id is null or ${visibleAccount("a")})`;
  return async (hash: Buffer): Promise<TokenRow | null> => {
    const statement = sql`${caller} and t.token_hash = ${hash}`;
    return db.first<TokenRow>(sql.named("apps.caller")`${statement}`);
  };
}

/** The `id` of the member who granted a token that was not revoked, by its id. app_tokens_id_key. */
export const accountOfApp: AskingAccount = ({ holder }) => sql`
  select a.id from app_tokens t
  join accounts a on a.id = t.account_id
  where t.id = ${holder} and ${visibleAccount("a")}
`;

export const noteUse = (db: Database, id: string) =>
  db.run(sql`update app_tokens set used_at = now() where id = ${id}`);

/** By its primary key; with an app, only a token of that app. */
export async function deleteToken(db: Database, hash: Buffer, appId: string | null): Promise<void> {
  const ofApp = appId === null ? sql`true` : sql`app_id = ${appId}`;
  await db.run(sql`delete from app_tokens where token_hash = ${hash} and ${ofApp}`);
}

export type ListedToken = {
  id: string;
  name: string;
  website: string;
  scopes: string[];
  created_at: Date;
  used_at: Date;
};

/**
 * The challenge of a code that was exchanged for a token of this app, where that token still
 * exists. Its row is locked until the transaction ends. app_tokens_code.
 */
export const usedCode = (db: Database, codeHash: Buffer, appId: string) =>
  db.first<{ challenge: string | null }>(sql`
    select code_challenge as challenge from app_tokens
    where code_hash = ${codeHash} and app_id = ${appId}
    for update
  `);

/** Ends the token that a code was exchanged for. app_tokens_code. */
export const deleteTokenOfCode = (db: Database, codeHash: Buffer, appId: string) =>
  db.run(sql`
    delete from app_tokens where code_hash = ${codeHash} and app_id = ${appId}
  `);

/** app_tokens_account. */
export const tokensOf = (db: Database, accountId: string) =>
  db.query<ListedToken>(sql`
    select t.id, apps.name, apps.website, t.scopes, t.created_at, t.used_at
    from app_tokens t
    join apps on apps.id = t.app_id
    where t.account_id = ${accountId}
    order by t.used_at desc, t.id desc
  `);

/** app_tokens_account. Answers whether there was one. */
export const deleteOne = (db: Database, accountId: string, id: string) =>
  db.any(sql`
    delete from app_tokens
    where account_id = ${accountId} and id = ${id}
    returning id
  `);

/** Tokens of an account and codes for more: app_tokens_account, app_codes_account. */
export async function deleteAll(db: Database, accountId: string): Promise<void> {
  await db.run(sql`delete from app_codes where account_id = ${accountId}`);
  await db.run(sql`delete from app_tokens where account_id = ${accountId}`);
}

/** Deletes expired codes, and old apps that nobody authorizes any more. */
export async function sweepApps(db: Database, retentionDays: number): Promise<void> {
  await db.run(sql`delete from app_codes where expires_at < now()`);
  await db.run(sql`
    delete from apps where created_at < now() - make_interval(days => ${retentionDays}::integer)
      and not exists (select from app_tokens t where t.app_id = apps.id)
      and not exists (select from app_codes c where c.app_id = apps.id)
  `);
}
