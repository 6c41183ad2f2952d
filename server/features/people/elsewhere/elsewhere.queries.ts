import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { listedAccount } from "#server/features/people/follows/lists.queries.ts";
import { limits } from "#shared/limits.ts";
import type { AccountElsewhere } from "#shared/views.ts";

/**
 * The accounts besides the viewer's that name one of these in their profile, each once: of one name so many at most,
 * since anybody can write it. Index accounts_elsewhere; of each found a probe of blocks, follows and verified_links.
 */
export const findElsewhere = (db: Database, viewerId: string, addresses: readonly string[]) =>
  db.column<AccountElsewhere>(sql.named("elsewhere.find")`
    with asked as materialized (
      select distinct name from unnest(${addresses}::text[]) address
      cross join lateral unnest(accounts_elsewhere(address, '[]')) name
    )
    select distinct on (found.id) ${listedAccount(viewerId, "found")} || jsonb_build_object(
      'elsewhere', asked.name,
      'verified', exists (
        select from verified_links v
        where v.account_id = found.id
          and accounts_elsewhere(v.address, '[]') @> array[asked.name]
      )
    ) as item
    from asked
    cross join lateral (
      select * from accounts a
      where accounts_elsewhere(a.website, a.extra_fields) collate "C" @> array[asked.name]
        and (a.website <> '' or a.extra_fields <> '[]')
        and a.id <> ${viewerId} and ${visibleTo(viewerId, "a")}
      limit ${sql.lit(limits.elsewhere.perName)}
    ) found
    order by found.id, asked.name
  `);
