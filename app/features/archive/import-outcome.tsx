import * as words from "#messages/data.json";
import type { ImportView } from "#shared/archive.ts";
import { leftOf, sentenceOn } from "#app/features/archive/import-counts.ts";
import { JobProgress } from "#app/features/archive/job-progress.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";

/** Sentences about single posts that are shown unfolded. */
const shownAtOnce = 20;

/** The result of the last import: what came over, and what was left out and why. */
export function ImportOutcome({ latest }: { latest: ImportView }) {
  const { state, problem, messages, skipped, leftOut, undone } = latest;
  if (undone !== null) return <Undone latest={latest} posts={undone} />;
  if (state === "failed") {
    return <FormAlert text={problem ?? words.importFailed} />;
  }
  const left = leftOf(latest) + leftOf(messages);
  return (
    <div role="status" className="grid gap-2 rounded-field bg-base-200 p-3 text-sm">
      {latest.total > 0 || messages.total === 0 ? (
        <p className="font-medium">{sentenceOn(latest, words.postsImported)}</p>
      ) : null}
      {messages.total > 0 ? (
        <p className="font-medium">{sentenceOn(messages, words.messagesImported)}</p>
      ) : null}
      {leftOut.length > 0 ? <p>{words.notComing}</p> : null}
      <Sentences of={leftOut} />
      <Sentences of={skipped.slice(0, shownAtOnce)} />
      {left > shownAtOnce ? (
        <details>
          <summary className="link inline-flex min-h-11 cursor-pointer items-center">
            {fill(words.more, { count: wholeCount(left - shownAtOnce) })}
          </summary>
          <Sentences of={skipped.slice(shownAtOnce)} />
          {left > skipped.length ? (
            <p>{fill(words.andMore, { count: wholeCount(left - skipped.length) })}</p>
          ) : null}
        </details>
      ) : null}
      {left > 0 || leftOut.length > 0 ? (
        <a href="/settings/data/import-report" download className="link justify-self-start py-2.5">
          {words.saveReport}
        </a>
      ) : null}
    </div>
  );
}

function Sentences({ of: sentences }: { of: string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul className="list-disc ps-5 wrap-anywhere">
      {[...new Set(sentences)].map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

function Undone({ latest, posts }: { latest: ImportView; posts: number }) {
  const { undoing, taken } = latest;
  if (undoing) {
    return (
      <JobProgress label={words.undoRunning} done={posts} total={taken} counts={words.postsOf} />
    );
  }
  return (
    <p role="status" className="rounded-field bg-base-200 p-3 text-sm font-medium">
      {counted(words.undone, posts)}
    </p>
  );
}
