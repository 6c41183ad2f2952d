import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import { query } from "#server/test/query.ts";

type Account = { id: string };

/** Whether an account is private, in the tables alone: for tests of what others see then. */
export const setPrivate = (db: Database, { id }: Account, isPrivate = true) =>
  query(db, "update accounts set private_at = case when $2 then now() end where id = $1", [
    id,
    isPrivate,
  ]);

/** Puts somebody on the list of the owner's close friends. */
export const addCloseFriend = (db: Database, owner: Account, friend: Account) =>
  query(db, "insert into close_friends (account_id, friend_id, id) values ($1, $2, $3)", [
    owner.id,
    friend.id,
    newId(),
  ]);
