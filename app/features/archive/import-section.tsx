import { useId, useState, type SubmitEvent } from "react";
import { Link, useRevalidator } from "react-router";
import type { ImportView, UndoableImport } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import type { Audience } from "#shared/posts.ts";
import { formatSize } from "#shared/sizes.ts";
import { DataSection } from "#app/features/archive/data-section.tsx";
import { ImportOutcome } from "#app/features/archive/import-outcome.tsx";
import { ImportSources } from "#app/features/archive/import-sources.tsx";
import { JobProgress } from "#app/features/archive/job-progress.tsx";
import { sendArchive } from "#app/features/archive/send-archive.ts";
import { UndoList } from "#app/features/archive/undo-list.tsx";
import { AudienceRow } from "#app/features/posts/audience/audience-row.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { errorMessage } from "#app/lib/api-client.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  latest: ImportView | null;
  /** those that can be undone */
  undoable: UndoableImport[];
  /** of the next post */
  audience: Audience;
  isPrivate: boolean;
  /** bytes that there is room for; null without a bound */
  room: number | null;
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
    const typed = new FormData(event.currentTarget);
    const file = typed.get("archive");
    setFailed(undefined);
    setFraction(0);
    try {
      await sendArchive(
        file instanceof File ? file : null,
        String(typed.get("audience") ?? ""),
        setFraction,
      );
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
export function ImportSection(props: Props) {
  const { latest, undoable, audience, isPrivate, room, hasMessages, problem } = props;
  const id = useId();
  const { fraction, failed = problem, submit } = useSending();
  const waiting = latest?.state === "waiting" ? latest : undefined;

  return (
    <DataSection
      title="Bring your photos"
      about={`From Instagram, Mastodon, Google Photos, Flickr, a folder or another Postcard, in a zip file of up to ${gigabytes} GB. Your posts keep their photos, words and days and are marked as imported. They're in nobody's feed, and nobody is notified. What is here already is skipped.`}
    >
      {failed ? <FormAlert text={failed} /> : null}
      {latest && !waiting ? <ImportOutcome latest={latest} /> : null}
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
          <ImportSources />
          <div className="-mx-4 grid justify-self-stretch border-b border-line">
            <AudienceRow chosen={audience} isPrivate={isPrivate} />
          </div>
          <p className="text-sm text-pretty text-muted">
            What was for fewer people there stays so.
            {room === null ? null : ` You have room for ${formatSize(room)} of photos.`}
          </p>
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
      <UndoList imports={undoable} />
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
