import * as words from "#messages/moderation.json";
import { CaseLine } from "#app/features/moderation/case-line.tsx";
import { LogLine } from "#app/features/moderation/log-line.tsx";
import { memberPage } from "#app/lib/refusals.server.ts";
import { EndlessRows } from "#app/ui/endless-rows.tsx";
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
    <div data-desk="" className="mx-auto max-w-column lg:p-6">
      <ScreenTitle>{words.moderation}</ScreenTitle>
      <Tabs
        label={words.moderation}
        tabs={[
          { to: "/moderation", label: words.open, current: queue !== null },
          { to: "/moderation?tab=log", label: words.log, current: log !== null },
        ]}
      />
      <div className="mt-4 overflow-hidden md:card">
        {queue && (
          <EndlessRows
            key="queue"
            first={queue}
            from="/api/moderation/cases"
            empty={
              <EmptyState drawing="mailbox" title={words.allClear}>
                <p>{words.reportsAppearHere}</p>
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
              <EmptyState drawing="card" title={words.noDecisionsYet}>
                <p>{words.everyDecision}</p>
              </EmptyState>
            }
          >
            {(entry) => <LogLine key={entry.id} entry={entry} />}
          </EndlessRows>
        )}
      </div>
    </div>
  );
}
