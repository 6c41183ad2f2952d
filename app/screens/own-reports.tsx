import { Link, useNavigation } from "react-router";
import { aSubject } from "#shared/report-kinds.ts";
import { reasonLabels, type OwnReport } from "#shared/reports.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { EndlessRows } from "#app/features/reports/endless-rows.tsx";
import { OwnVerdictView } from "#app/features/reports/own-verdict.tsx";
import { Quoted } from "#app/features/reports/quoted.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { Button } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TextField } from "#app/ui/text-field.tsx";
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
      <SettingsTitle>Reports and decisions</SettingsTitle>
      <Tabs
        label="Lists"
        tabs={[
          { to: path, label: "About you", current: verdicts !== null },
          { to: `${path}?tab=reports`, label: "Your reports", current: reports !== null },
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
        <EmptyState drawing="card" title="Nothing here">
          <p>
            If moderators decide something about you, you can read why here, and answer.{" "}
            <RulesLink />
          </p>
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
  open: "Waiting for a moderator",
  acted: "Moderators took action. Thank you.",
  dismissed: "Moderators looked at it and took no action",
};

/** A block is no way out of a report: a reported account that blocked the reader is named here. */
function ReportByName() {
  return (
    <form action="/report" className="grid gap-3 px-4 py-4 md:px-0">
      <input type="hidden" name="kind" value="account" />
      <input type="hidden" name={returnParameter} value={`${path}?tab=reports`} />
      <TextField
        label="Report someone you can't see"
        hint="Their username, for example if they blocked you."
        name="username"
        dir="ltr"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <Button type="submit" className="justify-self-start">
        Continue
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
          <EmptyState drawing="mailbox" title="You haven't reported anything">
            <p>
              Report is in the ⋯ menu of every person, post, comment and album, and beside messages.{" "}
              <RulesLink />
            </p>
          </EmptyState>
        }
      >
        {({ id, at, subject, reason, words, outcome, answer }) => (
          <li key={id} className="grid gap-3 border-b border-line px-4 py-4 md:px-0">
            <div>
              <h2 className="font-semibold">
                {`${aSubject(subject, "A")}: ${reasonLabels[reason]}`}
              </h2>
              <p className="text-sm text-muted">
                <PostTime at={at} /> · {became[outcome]}
              </p>
            </div>
            {words && <Quoted label="You wrote" text={words} />}
            {answer && <Quoted label="The moderators wrote" text={answer} />}
          </li>
        )}
      </EndlessRows>
      <ReportByName />
    </>
  );
}

function RulesLink() {
  return (
    <Link to="/rules" className="link">
      House rules
    </Link>
  );
}
