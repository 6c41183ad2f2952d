import { ListFoot } from "#app/features/feed/list-foot.tsx";
import { CaseLine } from "#app/features/moderation/case-line.tsx";
import { LogLine } from "#app/features/moderation/log-line.tsx";
import { about } from "#app/lib/page/about.ts";
import { appContext } from "#app/lib/context.server.ts";
import { useEndlessList } from "#app/lib/lists/use-endless-list.ts";
import { titled } from "#app/lib/page/place.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import { PersonSkeleton } from "#app/ui/skeleton.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/moderation.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Moderation") }, about];

/** What waits for moderators; on the other tab, who did what. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const query = new URL(request.url).searchParams;
  const cursor = query.get("cursor");
  return query.get("tab") === "log"
    ? { log: await orRefusalPage(features.moderation.log(member, cursor)), queue: null }
    : { queue: await orRefusalPage(features.moderation.queue(member, cursor)), log: null };
}

export default function Moderation({ loaderData: { queue, log } }: Route.ComponentProps) {
  return (
    <>
      <PageTitle>Moderation</PageTitle>
      <Tabs
        label="Moderation"
        tabs={[
          { to: "/moderation", label: "Waiting", current: queue !== null },
          { to: "/moderation?tab=log", label: "Log", current: log !== null },
        ]}
      />
      {queue && <Queue key="queue" first={queue} />}
      {log && <Log key="log" first={log} />}
    </>
  );
}

type Loaded = Route.ComponentProps["loaderData"];

function Queue({ first }: { first: NonNullable<Loaded["queue"]> }) {
  const list = useEndlessList(first, "/api/moderation/cases");
  if (list.items.length === 0) {
    return (
      <EmptyState drawing="mailbox" title="Nothing waits for you">
        <p>What members report, and what they answer to decisions, comes here.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <ul>
        {list.items.map((row) => (
          <CaseLine key={row.id} row={row} />
        ))}
      </ul>
      <ListFoot
        list={list}
        older={(cursor) => `?${new URLSearchParams({ cursor })}`}
        label="Show more"
        waiting={<PersonSkeleton />}
      />
    </>
  );
}

function Log({ first }: { first: NonNullable<Loaded["log"]> }) {
  const list = useEndlessList(first, "/api/moderation/log");
  if (list.items.length === 0) {
    return (
      <EmptyState drawing="card" title="Nothing decided yet">
        <p>Every decision is written down here, and nobody can change it.</p>
      </EmptyState>
    );
  }
  return (
    <>
      <ul>
        {list.items.map((entry) => (
          <LogLine key={entry.id} entry={entry} />
        ))}
      </ul>
      <ListFoot
        list={list}
        older={(cursor) => `?${new URLSearchParams({ tab: "log", cursor })}`}
        label="Show more"
        waiting={<PersonSkeleton />}
      />
    </>
  );
}
