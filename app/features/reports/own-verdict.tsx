import { Form } from "react-router";
import { reportLimits } from "#shared/report-limits.ts";
import type { OwnVerdict } from "#shared/reports.ts";
import * as words from "#messages/reports.json";
import { Quoted } from "#app/features/reports/quoted.tsx";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import type { ReportSubject } from "#shared/report-kinds.ts";

type Props = {
  verdict: OwnVerdict;
  /** the typed answer to this one, and its error */
  returned?: Pick<Refused<"words">, "typed" | "problem"> | undefined;
  pending?: boolean;
};

const field = fieldsOf<FormCalls["reports"]["answer"]>();

/** A moderators' decision about the reader, the reason, and the one answer to it. */
export function OwnVerdictView({ verdict, returned, pending = false }: Props) {
  const { id, at, said, reason, until, answer, mayAnswer, outcome } = verdict;
  const timeZone = useTimeZone();
  return (
    <article className="grid gap-3">
      <header>
        <h2 className="font-semibold text-pretty">{verdictTitle(verdict)}</h2>
        <p className="text-sm text-muted">
          <PostTime at={at} />
          {until !== null && ` · ${fill(words.until, { date: formatDate(until, timeZone) })}`}
          {verdict.act === "suspend" && until === null && ` · ${words.noEndDate}`}
        </p>
      </header>
      {said && <Quoted label={words.itSaid} text={said} />}
      <Quoted label={words.moderatorsWrote} text={reason} />
      {answer !== null && <Quoted label={words.yourAnswer} text={answer} />}
      {outcome && (
        <>
          <p className="font-medium">{outcome.kept ? words.upheld : words.reversed}</p>
          <Quoted label={words.theyWrote} text={outcome.reason} />
          {!outcome.kept && verdict.takenDown && (
            <p className="text-sm text-pretty text-muted">{words.notRestored}</p>
          )}
        </>
      )}
      {answer !== null && !outcome && <p className="text-sm text-muted">{words.answerWaits}</p>}
      {mayAnswer && (
        <Form method="post" className="grid gap-3" preventScrollReset>
          <input type="hidden" name={field("verdictId")} value={id} />
          <TextArea
            name={field("words")}
            label={words.yourAnswer}
            hint={words.answerHint}
            limit={reportLimits.words}
            required
            defaultValue={returned?.typed.words}
            error={problemAt("words", returned?.problem)}
          />
          <Button type="submit" pending={pending} className="justify-self-start">
            {words.sendAnswer}
          </Button>
        </Form>
      )}
    </article>
  );
}

const warned: Record<ReportSubject, string> = {
  account: words.warnedAccount,
  post: words.warnedPost,
  comment: words.warnedComment,
  message: words.warnedMessage,
  album: words.warnedAlbum,
};

/** Accounts are suspended, never removed. */
type Removed = Exclude<ReportSubject, "account">;

const removed: Record<Removed, string> = {
  post: words.removedPost,
  comment: words.removedComment,
  message: words.removedMessage,
  album: words.removedAlbum,
};

const suspendedAndRemoved: Record<Removed, string> = {
  post: words.suspendedPost,
  comment: words.suspendedComment,
  message: words.suspendedMessage,
  album: words.suspendedAlbum,
};

/** The decision, as its account reads it. */
function verdictTitle({
  act,
  takenDown,
  subject,
}: Pick<OwnVerdict, "act" | "takenDown" | "subject">): string {
  if (act === "warn") return warned[subject];
  if (act === "clear-words") return words.albumWordsRemoved;
  if (subject === "account") return words.suspended;
  if (act !== "suspend") return removed[subject];
  return takenDown ? suspendedAndRemoved[subject] : words.suspended;
}
