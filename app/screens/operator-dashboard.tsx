import * as words from "#messages/operator.json";
import { BackupsSection } from "#app/features/operator/backups.tsx";
import { inPageLanguage } from "#app/features/operator/checks-in-language.server.ts";
import { ChecksSection } from "#app/features/operator/checks.tsx";
import { Needs } from "#app/features/operator/needs.tsx";
import { ResultNotice } from "#app/features/operator/operator-form.tsx";
import { operatorAction, operatorPage } from "#app/features/operator/operator.server.ts";
import { Section } from "#app/features/operator/section.tsx";
import { ServerDetails } from "#app/features/operator/server-details.tsx";
import { wholeCount } from "#app/lib/text/counts.ts";
import { sizeText } from "#app/lib/text/sizes.ts";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/operator-dashboard";

/** How old the numbers of people and posts may be, milliseconds. */
const countedWithinMs = 60_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { features, status } = operatorPage(context);
  const [state, usage] = await Promise.all([status.read(), features.usage(countedWithinMs)]);
  return { ...inPageLanguage(state), usage };
}

export const action = operatorAction({
  checks: async ({ page }) => {
    await page.status.beginRound();
    return { message: words.checksRunning };
  },
  backup: async ({ page }) => {
    const begun = await page.status.beginBackup();
    return {
      message: begun ? words.backupBegun : words.backupAlready,
    };
  },
  retry: async ({ dashboard, operator }) => {
    await dashboard.retryJobs(operator, null);
    return { message: words.triedAgain };
  },
});

export default function OperatorDashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { needs, usage, storage, backups, continuous, round } = loaderData;
  return (
    <>
      <ScreenTitle title={words.operator}>{words.overview}</ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        <Needs needs={needs} returned={actionData} />
        <Section title={words.people}>
          <Figures
            figures={[
              [words.members, wholeCount(usage.members)],
              [words.activeThisMonth, wholeCount(usage.activeMonth)],
              [words.posts, wholeCount(usage.posts)],
            ]}
          />
        </Section>
        <Section id="storage" title={words.storage}>
          <Figures
            figures={[
              [words.originals, sizeText(storage.pictures)],
              [words.database, sizeText(storage.database)],
              [words.freeSpace, storage.free === null ? words.unknown : sizeText(storage.free)],
            ]}
          />
        </Section>
        <BackupsSection
          backups={backups}
          needs={needs}
          reachesUntil={continuous?.reachesUntil ?? null}
          returned={actionData}
        />
        <ChecksSection round={round} needs={needs} returned={actionData} />
        <ServerDetails {...loaderData} />
      </div>
    </>
  );
}

type FiguresProps = { figures: readonly (readonly [label: string, value: string])[] };

/** Numbers that are read at a glance, with plain labels. */
function Figures({ figures }: FiguresProps) {
  return (
    <dl className="flex flex-wrap gap-x-4 gap-y-3">
      {figures.map(([label, value]) => (
        <div key={label} className="flex w-20 grow flex-col-reverse justify-end">
          <dt className="text-sm text-muted">{label}</dt>
          <dd className="text-xl font-semibold sm:text-2xl">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
