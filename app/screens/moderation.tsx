import { CaseLine } from "#app/features/moderation/case-line.tsx";
import { LogLine } from "#app/features/moderation/log-line.tsx";
import { EndlessRows } from "#app/features/reports/endless-rows.tsx";
import { memberPage } from "#app/lib/refusals.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/moderation";

/** The open cases; on the other tab, who did what. */
export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const cursor = query.get("cursor");
  return query.get("tab") === "log"
    ? { log: await features.moderation.log(member, cursor), queue: null }
    : { queue: await features.moderation.queue(member, cursor), log: null };
}

export default function Moderation({ loaderData: { queue, log } }: Route.ComponentProps) {
  return (
    <>
      <ScreenTitle>Moderation</ScreenTitle>
      <Tabs
        label="Moderation"
        tabs={[
          { to: "/moderation", label: "Waiting", current: queue !== null },
          { to: "/moderation?tab=log", label: "Log", current: log !== null },
        ]}
      />
      {queue && (
        <EndlessRows
          key="queue"
          first={queue}
          from="/api/moderation/cases"
          empty={
            <EmptyState drawing="mailbox" title="Nothing waits for you">
              <p>What members report, and what they answer to decisions, comes here.</p>
            </EmptyState>
          }
        >
          {(row) => <CaseLine key={row.id} row={row} />}
        </EndlessRows>
      )}
      {log && (
        <EndlessRows
          key="log"
          first={log}
          from="/api/moderation/log"
          empty={
            <EmptyState drawing="card" title="Nothing decided yet">
              <p>Every decision is written down here, and nobody can change it.</p>
            </EmptyState>
          }
        >
          {(entry) => <LogLine key={entry.id} entry={entry} />}
        </EndlessRows>
      )}
    </>
  );
}
