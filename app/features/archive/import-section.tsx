import { useId, useState, type SubmitEvent } from "react";
import { Link, useRevalidator } from "react-router";
import type { ImportView } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import { DataSection } from "#app/features/archive/data-section.tsx";
import { JobProgress } from "#app/features/archive/job-progress.tsx";
import { sendArchive } from "#app/features/archive/send-archive.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { errorMessage } from "#app/lib/api-client.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  latest: ImportView | null;
  /** of a stored archive */
  hasMessages: boolean;
  /** why a submit without scripts was refused */
  problem: string | undefined;
};

const gigabytes = limits.archive.bytes / 1024 ** 3;

/** Uploads the archive of a form, reporting the fraction sent, 0 to 1, or what went wrong. */
function useSending() {
  const { revalidate } = useRevalidator();
  const [fraction, setFraction] = useState<number | null>(null);
  const [failed, setFailed] = useState<string>();

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (fraction !== null) return;
    const file = new FormData(event.currentTarget).get("archive");
    setFailed(undefined);
    setFraction(0);
    try {
      await sendArchive(file instanceof File ? file : null, setFraction);
      forgetLists();
      await revalidate();
    } catch (error) {
      setFailed(errorMessage(error));
    } finally {
      setFraction(null);
    }
  }

  return { fraction, failed, submit };
}

/** Imports an archive, shows its progress and the result. */
export function ImportSection({ latest, hasMessages, problem }: Props) {
  const id = useId();
  const { fraction, failed = problem, submit } = useSending();
  const waiting = latest?.state === "waiting" ? latest : undefined;

  return (
    <DataSection
      title="Import posts and messages"
      about={`From an archive of this or another Postcard, up to ${gigabytes} GB. Your posts keep their pictures, captions and times, and are marked as imported. Albums come along without what others added. Messages become a copy that only you can read. Duplicates are skipped.`}
    >
      {failed ? <FormAlert text={failed} /> : null}
      {latest && !waiting ? <Outcome latest={latest} /> : null}
      {waiting ? (
        <JobProgress label="Your archive is being read" {...progressOf(waiting)} />
      ) : (
        <form
          method="post"
          action="?import"
          encType="multipart/form-data"
          onSubmit={(event: SubmitEvent<HTMLFormElement>) => void submit(event)}
          className="grid justify-items-start gap-3"
        >
          <label htmlFor={id} className="text-sm font-medium">
            Archive (zip file)
          </label>
          <input
            id={id}
            type="file"
            name="archive"
            accept=".zip,application/zip"
            required
            disabled={fraction !== null}
            className="w-full max-w-full text-sm file-button"
          />
          {fraction === null ? null : <Sending fraction={fraction} />}
          <Button type="submit" look="outline" pending={fraction !== null}>
            Import
          </Button>
        </form>
      )}
      {hasMessages ? (
        <Link to="/settings/data/messages" className="link justify-self-start py-2.5 text-sm">
          Read your imported messages
        </Link>
      ) : null}
    </DataSection>
  );
}

function Sending({ fraction }: { fraction: number }) {
  const percent = Math.round(fraction * 100);
  return (
    <div className="grid w-full gap-1 text-sm">
      <p className="flex justify-between gap-4">
        <span>Your archive is on its way</span>
        <span className="text-muted">{percent} %</span>
      </p>
      <progress className="progress w-full" value={percent} max={100} aria-label="Archive upload" />
    </div>
  );
}

/** Posts come first, then messages. */
function progressOf({ done, total, messages }: ImportView) {
  const postsLeft = done < total || messages.total === 0;
  return postsLeft ? { done, total, unit: "posts" } : { ...messages, unit: "messages" };
}

/** The result of the last import. */
function Outcome({ latest }: { latest: ImportView }) {
  const { state, problem, messages, skipped } = latest;
  if (state === "failed") {
    return <FormAlert text={problem ?? "We couldn't read your archive. Please try again."} />;
  }
  const left = leftOf(latest) + leftOf(messages);
  return (
    <div role="status" className="grid gap-2 rounded-field bg-base-200 p-3 text-sm">
      {latest.total > 0 || messages.total === 0 ? (
        <p className="font-medium">{sentenceOn(latest, "posts")}</p>
      ) : null}
      {messages.total > 0 ? (
        <p className="font-medium">{sentenceOn(messages, "messages")}</p>
      ) : null}
      {skipped.length > 0 ? (
        <ul className="list-disc ps-5 wrap-anywhere">
          {skipped.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {left > skipped.length ? <li>and {left - skipped.length} more</li> : null}
        </ul>
      ) : null}
    </div>
  );
}

type Counts = { total: number; taken: number; known: number };

const were = (count: number) => `${count} ${count === 1 ? "was" : "were"}`;

const leftOf = ({ total, taken, known }: Counts) => total - taken - known;

/** "2 of 3 posts came over. 1 was left out." */
function sentenceOn(counts: Counts, unit: string): string {
  const { total, taken, known } = counts;
  const left = leftOf(counts);
  const parts = [`${taken} of ${total} ${unit} imported.`];
  if (known > 0) parts.push(`${were(known)} here already.`);
  if (left > 0) parts.push(`${were(left)} left out.`);
  return parts.join(" ");
}
