import { formatSize } from "#shared/sizes.ts";
import { BackupsSection } from "#app/features/operator/backups.tsx";
import { ChecksSection } from "#app/features/operator/checks.tsx";
import { Figures } from "#app/features/operator/figures.tsx";
import { Needs } from "#app/features/operator/needs.tsx";
import { ResultNotice } from "#app/features/operator/operator-form.tsx";
import { operatorAction, operatorPage } from "#app/features/operator/operator.server.ts";
import { Section } from "#app/features/operator/section.tsx";
import { ServerDetails } from "#app/features/operator/server-details.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/operator-dashboard";

/** How old the numbers of people and posts may be, milliseconds. */
const countedWithinMs = 60_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { features, status } = operatorPage(context);
  const [state, usage] = await Promise.all([status.read(), features.usage(countedWithinMs)]);
  return { ...state, usage };
}

export const action = operatorAction({
  checks: async ({ page }) => {
    await page.status.beginRound();
    return { message: "The checks are running. This takes a few seconds." };
  },
  backup: async ({ page }) => {
    const begun = await page.status.beginBackup();
    return {
      message: begun
        ? "A backup has begun. It's tested afterwards, and shown below."
        : "A backup is being made already.",
    };
  },
  retry: async ({ dashboard, operator }) => {
    await dashboard.retryJobs(operator, null);
    return { message: "They are tried again now." };
  },
});

const number = (count: number) => count.toLocaleString("en");

export default function OperatorDashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { needs, usage, storage, backups, continuous, round } = loaderData;
  return (
    <>
      <ScreenTitle title="Operator">Overview</ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        <Needs needs={needs} returned={actionData} />
        <Section title="People">
          <Figures
            figures={[
              ["Members", number(usage.members)],
              ["Active this month", number(usage.activeMonth)],
              ["Posts", number(usage.posts)],
            ]}
          />
        </Section>
        <Section id="storage" title="Storage">
          <Figures
            figures={[
              ["Originals", formatSize(storage.pictures)],
              ["Database", formatSize(storage.database)],
              ["Free disk space", storage.free === null ? "Unknown" : formatSize(storage.free)],
            ]}
          />
        </Section>
        <BackupsSection
          backups={backups}
          reachesUntil={continuous?.reachesUntil ?? null}
          returned={actionData}
        />
        <ChecksSection round={round} returned={actionData} />
        <ServerDetails {...loaderData} />
      </div>
    </>
  );
}
