import * as words from "#messages/people.json";
import { findPeople } from "#messages/shell.json";
import { FollowRow } from "#app/features/follows/follow-row.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import { orNotFound } from "#app/lib/refusals.server.ts";
import { compactCount } from "#app/lib/text/counts.ts";
import { profilePath } from "#app/lib/text/links.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { EndlessRows } from "#app/ui/endless-rows.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/follows";

export const headers = publicPage;

/** The followers of an account, or the accounts it follows; public. */
export async function loader({ url, params, pattern, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const list = pattern.includes("followers") ? ("followers" as const) : ("following" as const);
  const cursor = url.searchParams.get("cursor");
  const [profile, page] = await Promise.all([
    features.profiles.get(viewer, params.id),
    features.follows[list](viewer, params.id, cursor),
  ]);
  const { account, counts } = orNotFound(profile);
  return { list, account, counts, page, viewerId: viewer?.id ?? null };
}

const titles = { followers: words.followers, following: words.followingList };

export default function Follows({ loaderData }: Route.ComponentProps) {
  const { list, account, counts, page, viewerId } = loaderData;
  return (
    <>
      <title>{documentTitle(titles[list], account.name)}</title>
      <PageTitle>
        <Link to={profilePath(account, viewerId)} className="wrap-anywhere hover:underline">
          <bdi>{account.name}</bdi>
        </Link>
      </PageTitle>
      <Tabs
        label={words.listsOfPeople}
        tabs={(["followers", "following"] as const).map((each) => ({
          to: `/profile/${each}/${account.id}`,
          label: titles[each],
          count: compactCount(counts[each]),
          current: each === list,
        }))}
      />
      <EndlessRows
        key={`${list} ${account.id}`}
        first={page}
        from={`/api/accounts/${account.username}/${list}`}
        empty={
          <EmptyState
            drawing="lens"
            title={words.noOneYet}
            action={account.id === viewerId && <ButtonLink to="/search">{findPeople}</ButtonLink>}
          />
        }
      >
        {(row) => <FollowRow key={row.id} account={row} viewerId={viewerId} />}
      </EndlessRows>
    </>
  );
}
