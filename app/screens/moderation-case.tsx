import { Link } from "react-router";
import { reasonLabels, type CaseView } from "#shared/reports.ts";
import { daysOf } from "#app/features/moderation/suspension-length.tsx";
import { VerdictForm } from "#app/features/moderation/verdict-form.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { Quoted } from "#app/features/reports/quoted.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/moderation-case";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { found: await features.moderation.find(member, params.caseId) };
}

export const action = formAction({
  [unnamed]: form(({ reports }) => reports.decide, {
    send: ({ fields: { act, reason = "", days, takeDown } }) => ({
      body: {
        act,
        reason,
        days: act === "suspend" ? daysOf(days) : null,
        takeDown: takeDown === "on",
      },
    }),
    restores: ["act", "reason", "days", "takeDown"],
    to: "/moderation",
  }),
});

export default function ModerationCase({ loaderData, actionData }: Route.ComponentProps) {
  const { found } = loaderData;
  const { subject, state, reports } = found;
  return (
    <div data-desk="" className="mx-auto max-w-column lg:p-6">
      <BackLink to="/moderation">Moderation</BackLink>
      <ScreenTitle title="Moderation">
        {subject === "account"
          ? reports === 0
            ? "A suspended account"
            : "A reported account"
          : `A reported ${subject}`}
      </ScreenTitle>
      <div className="grid gap-6 px-4 pb-8 md:px-0">
        <Subject found={found} />
        <Decided found={found} />
        {state !== "closed" && <VerdictForm key={state} found={found} returned={actionData} />}
        <Reports found={found} />
        <Earlier found={found} />
      </div>
    </div>
  );
}

type Props = { found: CaseView };

function Subject({ found }: Props) {
  const { id, account, subject, said, images, path, suspended } = found;
  return (
    <section className="grid gap-4 rounded-box border border-line bg-base-100 p-4">
      <div className="flex items-center gap-3">
        <Avatar name={account.name} image={account.avatar} size="lg" />
        <div className="min-w-0 flex-1 wrap-anywhere">
          <AccountLink account={account} />
          <p className="text-sm text-muted">
            @{account.username}
            {suspended && " · suspended now"}
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
          src={`/api/moderation/cases/${id}/pictures/${key}`}
          alt={alt || "No description"}
          width={width}
          height={height}
          className="h-auto max-h-[60vh] w-full rounded-box object-contain"
        />
      ))}
      <p className="text-sm text-muted">
        As it was when reported.{" "}
        {path ? (
          <Link to={path} className="link">
            See it now
          </Link>
        ) : subject === "message" ? (
          "The rest of the conversation stays private."
        ) : (
          "It has since been deleted, or only some people can see it."
        )}
      </p>
    </section>
  );
}

function AccountLink({ account: { id, name } }: Pick<CaseView, "account">) {
  return (
    <Link to={`/search/${id}`} className="font-semibold hover:underline">
      <bdi>{name}</bdi>
    </Link>
  );
}

function Reports({ found: { reports, reportedBy, reportedByGuests } }: Props) {
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">{formatCount(reports, "report")}</h2>
      {reportedBy.length === 0 && reportedByGuests.length === 0 && (
        <p className="text-muted">
          {reports === 0
            ? "None. An operator decided this."
            : "The person who reported it has deleted their account."}
        </p>
      )}
      <ul>
        {reportedBy.map(({ id, account, reason, at, history, words, said }) => (
          <li key={id} className="grid gap-3 border-b border-line py-3">
            <div>
              <p className="wrap-anywhere">
                <AccountLink account={account} />
                {`: ${reasonLabels[reason]}`}
              </p>
              <p className="text-sm text-muted">
                <PostTime at={at} />
                {` · ${historyText(history)}`}
              </p>
            </div>
            {words && <Quoted label="In their words" text={words} />}
            {said !== null && <Quoted label="It said" text={said} />}
          </li>
        ))}
        {reportedByGuests.map(({ id, reason, at, words }) => (
          <li key={id} className="grid gap-3 border-b border-line py-3">
            <div>
              <p>{`A guest with a link: ${reasonLabels[reason]}`}</p>
              <p className="text-sm text-muted">
                <PostTime at={at} />
              </p>
            </div>
            {words && <Quoted label="In their words" text={words} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

type History = CaseView["reportedBy"][number]["history"];

function historyText({ reports, acted, dismissed, verdicts }: History): string {
  const many = `${reports} reports: ${acted} acted on, ${dismissed} dismissed`;
  const about = verdicts > 0 ? ` · ${formatCount(verdicts, "decision")} about them` : "";
  return (reports === 1 ? "their first report" : many) + about;
}

const acts = {
  dismiss: "Dismissed",
  warn: "Warned",
  "clear-words": "Words removed",
  "take-down": "Removed",
  suspend: "Suspended",
} as const;

function Decided({ found: { verdict } }: Props) {
  const timeZone = useTimeZone();
  if (!verdict) return null;
  const { act, takenDown, reason, until, at, moderator, answer, outcome } = verdict;
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">
        {acts[act]}
        {act === "suspend" &&
          (until === null ? ", no end date" : ` until ${formatDate(until, timeZone)}`)}
        {act === "suspend" && takenDown && ", and removed"}
      </h2>
      <p className="text-sm text-muted">
        <bdi>{moderator?.name ?? "An operator, or a former moderator"}</bdi>
        {" · "}
        <PostTime at={at} />
      </p>
      <Quoted label="Reason" text={reason} />
      {answer !== null && <Quoted label="Their appeal" text={answer} />}
      {outcome && (
        <Quoted
          label={outcome.kept ? "The decision was upheld" : "The decision was reversed"}
          text={outcome.reason}
        />
      )}
    </section>
  );
}

function Earlier({ found: { account, earlier } }: Props) {
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">
        Other reports about <bdi>{account.name}</bdi>
      </h2>
      {earlier.length === 0 && <p className="text-muted">None</p>}
      <ul>
        {earlier.map(({ id, at, subject, reasons, act, outcome }) => (
          <li key={id} className="border-b border-line py-3">
            <Link to={`/moderation/${id}`} className="link">
              {`${act ? acts[act] : "Not decided yet"}: ${subject}`}
            </Link>
            <p className="text-sm text-muted">
              {reasons.map((reason) => reasonLabels[reason]).join(", ")} · <PostTime at={at} />
              {outcome === "lifted" && " · reversed"}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
