import { useNavigation } from "react-router";
import type { ReportSubject } from "#shared/report-kinds.ts";
import type { OwnReport } from "#shared/reports.ts";
import { goOn } from "#messages/people.json";
import * as words from "#messages/reports.json";
import { PostTime } from "#app/ui/post-time.tsx";
import { OwnVerdictView } from "#app/features/reports/own-verdict.tsx";
import { Quoted } from "#app/features/reports/quoted.tsx";
import { reasonWords } from "#app/features/reports/report-words.ts";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";
import { linkTo } from "#app/ui/text-link.tsx";
import { EndlessRows } from "#app/ui/endless-rows.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { noWord, TextField } from "#app/ui/text-field.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/own-reports";

const path = "/settings/reports";

/** The moderators' decisions about the reader; on the other tab, the reader's reports. */
export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const cursor = query.get("cursor");
  return query.get("tab") === "reports"
    ? { reports: await features.reports.list(member, cursor), verdicts: null }
    : {
        verdicts: await features.moderation.verdicts(member, cursor),
        reports: null,
      };
}

export const action = formAction({
  [unnamed]: form(({ reports }) => reports.answer, { restores: ["verdictId", "words"], to: path }),
});

export default function OwnReports({ loaderData, actionData }: Route.ComponentProps) {
  const { verdicts, reports } = loaderData;
  return (
    <>
      <SettingsTitle>{words.reportsAndDecisions}</SettingsTitle>
      <Tabs
        label={words.lists}
        tabs={[
          { to: path, label: words.aboutYou, current: verdicts !== null },
          { to: `${path}?tab=reports`, label: words.yourReports, current: reports !== null },
        ]}
      />
      {verdicts && <Verdicts key="verdicts" first={verdicts} returned={actionData} />}
      {reports && <Reports key="reports" first={reports} />}
    </>
  );
}

type VerdictsProps = {
  first: NonNullable<Route.ComponentProps["loaderData"]["verdicts"]>;
  returned: Route.ComponentProps["actionData"];
};

function Verdicts({ first, returned }: VerdictsProps) {
  const sending = useNavigation().formData?.get("verdictId");
  return (
    <EndlessRows
      first={first}
      from="/api/verdicts"
      empty={
        <EmptyState drawing="card" title={words.noVerdicts}>
          <p>{rich(words.noVerdictsText, { rules })}</p>
        </EmptyState>
      }
    >
      {(verdict) => (
        <li key={verdict.id} className="border-b border-line px-4 py-4 md:px-0">
          <OwnVerdictView
            verdict={verdict}
            returned={returned?.typed.verdictId === verdict.id ? returned : undefined}
            pending={sending === verdict.id}
          />
        </li>
      )}
    </EndlessRows>
  );
}

const became: Record<OwnReport["outcome"], string> = {
  open: words.open,
  acted: words.acted,
  dismissed: words.dismissed,
};

/** "A post: {reason}" */
const titles: Record<ReportSubject, string> = {
  account: words.aboutAccount,
  post: words.aboutPost,
  comment: words.aboutComment,
  message: words.aboutMessage,
  album: words.aboutAlbum,
};

/** A block is no way out of a report: a reported account that blocked the reader is named here. */
function ReportByName() {
  return (
    <form action="/report" className="grid gap-3 px-4 py-4 md:px-0">
      <input type="hidden" name="kind" value="account" />
      <input type="hidden" name={returnParameter} value={`${path}?tab=reports`} />
      <TextField
        label={words.reportUnseen}
        hint={words.reportUnseenHint}
        name="username"
        {...noWord}
        autoComplete="off"
        required
      />
      <Button type="submit" className="justify-self-start">
        {goOn}
      </Button>
    </form>
  );
}

function Reports({ first }: { first: NonNullable<Route.ComponentProps["loaderData"]["reports"]> }) {
  return (
    <>
      <EndlessRows
        first={first}
        from="/api/reports"
        empty={
          <EmptyState drawing="mailbox" title={words.noReports}>
            <p>{rich(words.noReportsText, { rules })}</p>
          </EmptyState>
        }
      >
        {({ id, at, subject, reason, words: said, outcome, answer }) => (
          <li key={id} className="grid gap-3 border-b border-line px-4 py-4 md:px-0">
            <div>
              <h2 className="font-semibold">
                {fill(titles[subject], { reason: reasonWords[reason] })}
              </h2>
              <p className="text-sm text-muted">
                <PostTime at={at} /> · {became[outcome]}
              </p>
            </div>
            {said && <Quoted label={words.youWrote} text={said} />}
            {answer && <Quoted label={words.moderatorsWrote} text={answer} />}
          </li>
        )}
      </EndlessRows>
      <ReportByName />
    </>
  );
}

const rules = linkTo("/rules");
