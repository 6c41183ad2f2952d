import { accountEntity } from "#server/mastodon/entities/accounts.ts";
import type { Named } from "#server/mastodon/entities/content.ts";
import type { AccountDetails, Relations } from "#server/features/people/index.ts";
import type { Viewer } from "#shared/views.ts";

export type AccountLookup = { details: ReadonlyMap<string, AccountDetails>; named: Named };
type Asked = { relations: Pick<Relations, "details" | "named"> };

/** Everything needed for the entities of these accounts, and of texts that mention these. */
export async function lookUpAccounts(
  { relations }: { relations: Pick<Relations, "named"> },
  viewer: Viewer | null,
  details: readonly AccountDetails[],
  names: readonly string[] = [],
): Promise<AccountLookup> {
  const all = [...names, ...details.flatMap(({ mentions }) => mentions)];
  const named = all.length === 0 ? [] : await relations.named(viewer, all);
  return {
    details: new Map(details.map((one) => [one.account.id, one])),
    named: new Map(named.map(({ written, id, username }) => [written, { id, username }])),
  };
}

/** Those of these accounts that the viewer may see, in the given order. */
export async function accountEntities(
  deps: { publicUrl: string; imagesUrl: string; features: Asked },
  viewer: Viewer | null,
  ids: readonly string[],
) {
  const details = await deps.features.relations.details(viewer, ids);
  const { named } = await lookUpAccounts(deps.features, viewer, details);
  return details.map((one) => accountEntity(deps, one, named));
}
