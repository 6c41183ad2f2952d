import { HiddenAccounts, type HiddenList } from "#app/features/blocks/hidden-accounts.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { memberPage } from "#app/lib/refusals.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/blocked";

export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const list: HiddenList = query.get("tab") === "muted" ? "muted" : "blocked";
  const page = await features.blocks[list](member, query.get("cursor"));
  return { list, page };
}

const empty = {
  blocked: {
    title: "You haven't blocked anyone",
    text: "People you block can't see you, and you can't see them. Mute and Block are in the ⋯ menu next to a person, a post or a comment.",
  },
  muted: {
    title: "You haven't muted anyone",
    text: "Posts from people you mute stay out of your feed. They won't be notified.",
  },
};

export default function Blocked({ loaderData: { list, page } }: Route.ComponentProps) {
  return (
    <>
      <SettingsTitle>Blocked and muted</SettingsTitle>
      <Tabs
        label="Lists"
        tabs={[
          { to: "/settings/blocked", label: "Blocked", current: list === "blocked" },
          { to: "/settings/blocked?tab=muted", label: "Muted", current: list === "muted" },
        ]}
      />
      {page.items.length > 0 ? (
        <HiddenAccounts key={list} list={list} first={page} />
      ) : (
        <EmptyState drawing="lens" title={empty[list].title}>
          <p>{empty[list].text}</p>
        </EmptyState>
      )}
    </>
  );
}
