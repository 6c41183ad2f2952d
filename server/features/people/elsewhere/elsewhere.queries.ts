import { sql } from "#server/platform/db/sql.ts";
import type { Database } from "#server/platform/db/database.ts";
import { visibleTo } from "#server/features/people/accounts/visibility.queries.ts";
import { listedAccount } from "#server/features/people/follows/lists.queries.ts";
import { limits } from "#shared/limits.ts";
import type { AccountElsewhere } from "#shared/views.ts";

/**
 * The accounts besides the viewer's that name one of these in their profile, each once: of one name so many at most
 * whose page leads back to them, and so many of the others, since anybody can write it. Indexes verified_elsewhere and
 * accounts_elsewhere; of each found a probe of blocks and follows.
 */
export const findElsewhere = (db: Database, viewerId: string, addresses: readonly string[]) =>
  db.column<AccountElsewhere>(sql.named("elsewhere.find")`
    with asked as materialized (
      select distinct name from unnest(${addresses}::text[]) address
      cross join lateral unnest(accounts_elsewhere(address, '[]')) name
    )
    select distinct on (found.id) ${listedAccount(viewerId, "found")} || jsonb_build_object(
      'elsewhere', asked.name,
      'verified', found.verified
    ) as item
    from asked
    cross join lateral (
      (
        select named.*, true as verified from verified_links v
        cross join lateral (
          select * from accounts a where a.id = v.account_id and ${namedBy(viewerId)} limit 1
        ) named
        where accounts_elsewhere(v.address, '[]') collate "C" @> array[asked.name]
        limit ${perName}
      )
      union all
      (select a.*, false from accounts a where ${namedBy(viewerId)} limit ${perName})
    ) found
    order by found.id, found.verified desc, asked.name
  `);

/** Whether the profile of the row `a`, whom this viewer may see, has the name of the row `asked`. */
const namedBy = (viewerId: string) => sql`(
  accounts_elsewhere(a.website, a.extra_fields) collate "C" @> array[asked.name]
  and (a.website <> '' or a.extra_fields <> '[]')
  and a.id <> ${viewerId} and ${visibleTo(viewerId, "a")}
)`;

const perName = sql.lit(limits.elsewhere.perName);
