import { Link } from "react-router";
import { reasonLabels, subjectNames, type CaseView } from "#shared/reports.ts";
import { VerdictForm } from "#app/features/moderation/verdict-form.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { Quoted } from "#app/features/reports/quoted.tsx";
import { appContext } from "#app/lib/context.server.ts";
import { titled } from "#app/lib/page/place.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { dateInWords } from "#app/lib/text/times.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/moderation-case.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  return { found: await orRefusalPage(features.moderation.find(member, params.caseId)) };
}

export const action = formAction({
  [unnamed]: form(({ reports }) => reports.decide, {
    send: ({ fields: { act, reason = "", days = "", takeDown } }) => ({
      body: {
        act,
        reason,
        days: act === "suspend" && days !== "" ? Number(days) : null,
        takeDown: takeDown === "on",
      },
    }),
    keeps: ["act", "reason", "days", "takeDown"],
    to: "/moderation",
  }),
});

export default function ModerationCase({ loaderData, actionData }: Route.ComponentProps) {
  const { found } = loaderData;
  const { account, subject, said, images, path, reportedBy, state, reports } = found;
  return (
    <>
      <title>{titled("Moderation")}</title>
      <BackLink to="/moderation">Moderation</BackLink>
      <PageTitle>
        {subject === "account"
          ? reports === 0
            ? "A suspended account"
            : "A reported account"
          : `A reported ${subjectNames[subject]}`}
      </PageTitle>
      <div className="grid gap-6 px-4 pb-8 md:px-0">
        <section className="grid gap-4 rounded-box border border-line bg-base-100 p-4">
          <div className="flex items-center gap-3">
            <Avatar name={account.name} picture={account.avatar} size="lg" />
            <div className="min-w-0 flex-1 wrap-anywhere">
              <Link to={`/search/${account.id}`} className="font-semibold hover:underline">
                <bdi>{account.name}</bdi>
              </Link>
              <p className="text-sm text-muted">
                @{account.username}
                {found.suspended && " · suspended now"}
              </p>
            </div>
          </div>
          {said && (
            <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {said}
            </p>
          )}
          {images.map(({ key, width, height, alt }) => (
            <img
              key={key}
              src={`/api/moderation/cases/${found.id}/pictures/${key}`}
              alt={alt || "Without alt text"}
              width={width}
              height={height}
              className="h-auto max-h-[60vh] w-full rounded-box object-contain"
            />
          ))}
          <p className="text-sm text-muted">
            As it was when it was reported.{" "}
            {path ? (
              <Link to={path} className="link">
                See it as it is now
              </Link>
            ) : subject === "message" ? (
              "Nothing else of the conversation is shown."
            ) : (
              "It is gone meanwhile."
            )}
          </p>
        </section>
        <Decided found={found} />
        {state !== "closed" && <VerdictForm key={state} found={found} returned={actionData} />}
        <section className="grid gap-3">
          <h2 className="font-semibold">{reports === 1 ? "1 report" : `${reports} reports`}</h2>
          {reportedBy.length === 0 && (
            <p className="text-muted">
              {reports === 0
                ? "Nobody: an operator decided by themselves."
                : "Whoever reported it has deleted their account."}
            </p>
          )}
          <ul>
            {reportedBy.map((report) => (
              <li key={report.id} className="grid gap-3 border-b border-line py-3">
                <div>
                  <p className="wrap-anywhere">
                    <Link
                      to={`/search/${report.account.id}`}
                      className="font-semibold hover:underline"
                    >
                      <bdi>{report.account.name}</bdi>
                    </Link>
                    {`: ${reasonLabels[report.reason]}`}
                  </p>
                  <p className="text-sm text-muted">
                    <PostTime at={report.at} />
                    {` · ${historyInWords(report.history)}`}
                  </p>
                </div>
                {report.words && <Quoted label="In their words" text={report.words} />}
                {report.said !== null && <Quoted label="It said then" text={report.said} />}
              </li>
            ))}
          </ul>
        </section>
        <Earlier found={found} />
      </div>
    </>
  );
}

type History = CaseView["reportedBy"][number]["history"];

function historyInWords({ reports, acted, dismissed, verdicts }: History): string {
  const parts = [
    reports === 1
      ? "first report"
      : `${reports} reports, ${acted} acted on, ${dismissed} dismissed`,
  ];
  if (verdicts > 0)
    parts.push(verdicts === 1 ? "1 decision about them" : `${verdicts} decisions about them`);
  return parts.join(" · ");
}

const acts = {
  dismiss: "Dismissed",
  warn: "Warned",
  "take-down": "Removed",
  suspend: "Suspended",
} as const;

function Decided({ found: { verdict } }: { found: CaseView }) {
  const timeZone = useTimeZone();
  if (!verdict) return null;
  const { act, takenDown, reason, until, at, moderator, answer, outcome } = verdict;
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">
        {acts[act]}
        {act === "suspend" &&
          (until === null ? " without an end" : ` until ${dateInWords(until, timeZone)}`)}
        {act === "suspend" && takenDown && ", and removed"}
      </h2>
      <p className="text-sm text-muted">
        <bdi>{moderator?.name ?? "The operator, or a moderator who is gone"}</bdi>
        {" · "}
        <PostTime at={at} />
      </p>
      <Quoted label="Reason" text={reason} />
      {answer !== null && <Quoted label="Their answer" text={answer} />}
      {outcome && (
        <Quoted
          label={outcome.kept ? "The decision was kept" : "The decision was taken back"}
          text={outcome.reason}
        />
      )}
    </section>
  );
}

function Earlier({ found: { account, earlier } }: { found: CaseView }) {
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">
        Other reports about <bdi>{account.name}</bdi>
      </h2>
      {earlier.length === 0 && <p className="text-muted">None.</p>}
      <ul>
        {earlier.map(({ id, at, subject, reasons, act, outcome }) => (
          <li key={id} className="border-b border-line py-3">
            <Link to={`/moderation/${id}`} className="link">
              {`${act ? acts[act] : "Not decided yet"}: ${subjectNames[subject]}`}
            </Link>
            <p className="text-sm text-muted">
              {reasons.map((reason) => reasonLabels[reason]).join(", ")} · <PostTime at={at} />
              {outcome === "lifted" && " · taken back"}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
