import * as words from "#messages/people.json";
import { HiddenRow, type HiddenList } from "#app/features/blocks/hidden-row.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { memberPage } from "#app/lib/refusals.server.ts";
import { EndlessRows } from "#app/ui/endless-rows.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/blocked";

export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const list: HiddenList = query.get("tab") === "muted" ? "muted" : "blocked";
  const page = await features.blocks[list](member, query.get("cursor"));
  return { list, page };
}

const paths = { blocked: "/api/blocks", muted: "/api/mutes" };
const empty = {
  blocked: { title: words.noneBlocked, text: words.noneBlockedText },
  muted: { title: words.noneMuted, text: words.noneMutedText },
};

export default function Blocked({ loaderData: { list, page } }: Route.ComponentProps) {
  return (
    <>
      <SettingsTitle>{words.blockedAndMuted}</SettingsTitle>
      <Tabs
        label={words.lists}
        tabs={[
          { to: "/settings/blocked", label: words.blocked, current: list === "blocked" },
          { to: "/settings/blocked?tab=muted", label: words.muted, current: list === "muted" },
        ]}
      />
      <EndlessRows
        key={list}
        first={page}
        from={paths[list]}
        empty={
          <EmptyState drawing="lens" title={empty[list].title}>
            <p>{empty[list].text}</p>
          </EmptyState>
        }
      >
        {(account) => <HiddenRow key={account.id} account={account} list={list} />}
      </EndlessRows>
    </>
  );
}
