import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { notificationKinds, type ChosenKind } from "#shared/notification-kinds.ts";
import type { NotificationSettings } from "#shared/notifications.ts";
import { recordOf } from "#shared/records.ts";

type Row = { unwanted: ChosenKind[]; digest: boolean };

/** Primary key; without a row everything is switched on. */
export async function readSettings(db: Database, accountId: string): Promise<NotificationSettings> {
  const [row] = await db.query<Row>(sql.named("notifications.settings")`
    select unwanted, digest from notification_settings where account_id = ${accountId}
  `);
  const wanted = recordOf(notificationKinds, (kind) => !row?.unwanted.includes(kind));
  return { ...wanted, digest: row?.digest ?? true };
}

type Wanted = { [Name in keyof NotificationSettings]?: boolean | undefined };

/** Two changes at once, of different kinds, both hold. */
export async function writeSettings(db: Database, accountId: string, wanted: Wanted) {
  const on = notificationKinds.filter((kind) => wanted[kind] === true);
  const off = notificationKinds.filter((kind) => wanted[kind] === false);
  await db.run(sql`
    insert into notification_settings (account_id, unwanted, digest)
    values (${accountId}, ${off}::text[], ${wanted.digest ?? true})
    on conflict (account_id) do update set
      unwanted = array(
        select distinct kind from unnest(notification_settings.unwanted || ${off}::text[]) kind
        where kind <> all(${on}::text[])
      ),
      digest = coalesce(${wanted.digest ?? null}::boolean, notification_settings.digest)
  `);
}
