import * as words from "#messages/moderation.json";
import type { ReportSubject } from "#shared/report-kinds.ts";
import type { CaseView } from "#shared/reports.ts";
import { besidesName } from "#app/features/moderation/besides-name.ts";
import { reasonWords } from "#app/features/reports/report-words.ts";
import { daysOf } from "#app/features/moderation/suspension-length.tsx";
import { VerdictForm } from "#app/features/moderation/verdict-form.tsx";
import { Link } from "#app/ui/link.tsx";
import { TextLink } from "#app/ui/text-link.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { Quoted } from "#app/features/reports/quoted.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { commaList, counted, fill, rich } from "#app/lib/text/messages.tsx";
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

const reported: Record<ReportSubject, string> = {
  account: words.aReportedAccount,
  post: words.aReportedPost,
  comment: words.aReportedComment,
  message: words.aReportedMessage,
  album: words.aReportedAlbum,
};

export default function ModerationCase({ loaderData, actionData }: Route.ComponentProps) {
  const { found } = loaderData;
  const { subject, state, reports } = found;
  return (
    <div data-desk="" className="mx-auto max-w-column lg:p-6">
      <BackLink to="/moderation">{words.moderation}</BackLink>
      <ScreenTitle title={words.moderation}>
        {reports === 0 && subject === "account" ? words.aSuspendedAccount : reported[subject]}
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
  const { id, account, subject, images, path, suspended } = found;
  const said = besidesName(found);
  return (
    <section className="grid gap-4 rounded-box border border-line bg-base-100 p-4">
      <div className="flex items-center gap-3">
        <Avatar name={account.name} image={account.avatar} size="lg" />
        <div className="min-w-0 flex-1 wrap-anywhere">
          <AccountLink account={account} />
          <p className="text-sm text-muted">
            <bdi>@{account.username}</bdi>
            {suspended && ` · ${words.suspendedNow}`}
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
          alt={alt || words.noDescription}
          width={width}
          height={height}
          className="h-auto max-h-[60vh] w-full rounded-box object-contain"
        />
      ))}
      <p className="text-sm text-muted">
        {words.asItWas}{" "}
        {path ? (
          <TextLink to={path}>{words.seeItNow}</TextLink>
        ) : subject === "message" ? (
          words.restStaysPrivate
        ) : (
          words.sinceDeleted
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
      <h2 className="font-semibold">{counted(words.reports, reports)}</h2>
      {reportedBy.length === 0 && reportedByGuests.length === 0 && (
        <p className="text-muted">{reports === 0 ? words.noReports : words.reporterGone}</p>
      )}
      <ul>
        {reportedBy.map(({ id, account, reason, at, history, words: own, said }) => (
          <li key={id} className="grid gap-3 border-b border-line py-3">
            <div>
              <p className="wrap-anywhere">
                {rich(words.nameAndReason, {
                  name: <AccountLink account={account} />,
                  reason: reasonWords[reason],
                })}
              </p>
              <p className="text-sm text-muted">
                <PostTime at={at} />
                {` · ${historyText(history)}`}
              </p>
            </div>
            {own && <Quoted label={words.inTheirWords} text={own} />}
            {said !== null && <Quoted label={words.itSaid} text={said} />}
          </li>
        ))}
        {reportedByGuests.map(({ id, reason, at, words: own }) => (
          <li key={id} className="grid gap-3 border-b border-line py-3">
            <div>
              <p>{fill(words.aGuest, { reason: reasonWords[reason] })}</p>
              <p className="text-sm text-muted">
                <PostTime at={at} />
              </p>
            </div>
            {own && <Quoted label={words.inTheirWords} text={own} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

type History = CaseView["reportedBy"][number]["history"];

function historyText({ reports, acted, dismissed, verdicts }: History): string {
  const sent = counted(words.history, reports, { acted, dismissed });
  return verdicts > 0 ? `${sent} · ${counted(words.decisionsAbout, verdicts)}` : sent;
}

const acts = {
  dismiss: words.dismissed,
  warn: words.warned,
  "clear-words": words.wordsRemoved,
  "take-down": words.removed,
  suspend: words.suspended,
} as const;

type Verdict = NonNullable<CaseView["verdict"]>;

function decisionText({ act, takenDown, until }: Verdict, timeZone: string): string {
  if (act !== "suspend") return acts[act];
  if (until === null) return takenDown ? words.suspendedForeverRemoved : words.suspendedForever;
  const date = formatDate(until, timeZone);
  return fill(takenDown ? words.suspendedUntilRemoved : words.suspendedUntil, { date });
}

function Decided({ found: { verdict } }: Props) {
  const timeZone = useTimeZone();
  if (!verdict) return null;
  const { reason, at, moderator, answer, outcome } = verdict;
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">{decisionText(verdict, timeZone)}</h2>
      <p className="text-sm text-muted">
        <bdi>{moderator?.name ?? words.formerModerator}</bdi>
        {" · "}
        <PostTime at={at} />
      </p>
      <Quoted label={words.reason} text={reason} />
      {answer !== null && <Quoted label={words.theirAppeal} text={answer} />}
      {outcome && (
        <Quoted
          label={outcome.kept ? words.decisionUpheld : words.decisionReversed}
          text={outcome.reason}
        />
      )}
    </section>
  );
}

const subjects: Record<ReportSubject, string> = {
  account: words.account,
  post: words.post,
  comment: words.comment,
  message: words.message,
  album: words.album,
};

function Earlier({ found: { account, earlier } }: Props) {
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">
        {rich(words.otherReports, { name: <bdi>{account.name}</bdi> })}
      </h2>
      {earlier.length === 0 && <p className="text-muted">{words.none}</p>}
      <ul>
        {earlier.map(({ id, at, subject, reasons, act, outcome }) => (
          <li key={id} className="border-b border-line py-3">
            <TextLink to={`/moderation/${id}`}>
              {fill(words.decisionAbout, {
                decision: act ? acts[act] : words.notDecidedYet,
                subject: subjects[subject],
              })}
            </TextLink>
            <p className="text-sm text-muted">
              {commaList(reasons.map((reason) => reasonWords[reason]))} · <PostTime at={at} />
              {outcome === "lifted" && ` · ${words.reversed}`}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
