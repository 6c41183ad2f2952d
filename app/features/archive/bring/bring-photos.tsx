import { useRevalidator } from "react-router";
import type { ImportView, UndoableImport } from "#shared/archive.ts";
import type { Audience } from "#shared/posts.ts";
import * as words from "#messages/bring.json";
import { ChooseFile } from "#app/features/archive/bring/choose-file.tsx";
import { hereOf } from "#app/features/archive/bring/here-of.ts";
import { endImport } from "#app/features/archive/bring/import-calls.ts";
import { ImportProgress } from "#app/features/archive/bring/import-progress.tsx";
import { SendWhole } from "#app/features/archive/bring/send-whole.tsx";
import { useImportUpload } from "#app/features/archive/bring/use-import-upload.ts";
import { useReading } from "#app/features/archive/bring/use-reading.ts";
import { ImportState } from "#app/features/archive/import-state.tsx";
import { UndoList } from "#app/features/archive/undo-list.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { Button } from "#app/ui/button.tsx";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import { Spinner } from "#app/ui/spinner.tsx";

/** Most visits of this page end before it. */
const ChoosePosts = lazyComponent(
  async () => (await import("#app/features/archive/bring/choose-posts.tsx")).ChoosePosts,
  notifyUnreachable,
);

const FollowedPeople = lazyComponent(
  async () => (await import("#app/features/archive/bring/followed-people.tsx")).FollowedPeople,
  notifyUnreachable,
);

type Props = {
  accountId: string;
  latest: ImportView | null;
  undoable: UndoableImport[];
  /** of the next post */
  audience: Audience;
  isPrivate: boolean;
  /** bytes that there is room for; null without a bound */
  room: number | null;
  /** why a submit without scripts was refused */
  problem: string | undefined;
};

/** Chooses the file of an export and what of it comes, sends that, and shows how it went. */
export function BringPhotos({ problem: refused, ...props }: Props) {
  const { accountId, latest, undoable, audience, isPrivate, room } = props;
  const upload = useImportUpload();
  // Ended, its outcome is being read.
  const ended = upload?.state === "ended";
  const open = latest?.state === "arriving" ? latest : null;
  const {
    step,
    problem = refused,
    read,
    send,
    anotherFile,
  } = useReading({
    accountId,
    audience,
    open,
  });

  if (upload && !ended) return <ImportProgress upload={upload} />;
  if (step.is === "choosing") {
    const { read: choice, pending } = step;
    const { posts, followed } = choice.device;
    if (posts.length === 0 && followed.length > 0) {
      return (
        <div className="grid gap-4 pb-8">
          <FollowedPeople followed={followed} viewerId={accountId} />
          <Button look="quiet" className="mx-4 justify-self-start md:mx-0" onClick={anotherFile}>
            {words.anotherFile}
          </Button>
        </div>
      );
    }
    return (
      <ChoosePosts
        {...choice}
        {...{ accountId, isPrivate, room, problem, pending }}
        onSend={(chosen) => void send(chosen)}
        onCancel={anotherFile}
      />
    );
  }
  if (latest?.state === "waiting") {
    return (
      <div className="px-4 md:px-0">
        <ImportState latest={latest} />
      </div>
    );
  }
  return (
    <div className="grid gap-6 px-4 pb-8 md:px-0">
      {problem ? <FormAlert text={problem} /> : null}
      {open ? <OpenImport open={open} /> : latest ? <ImportState latest={latest} /> : null}
      {step.is === "reading" ? (
        <p role="status" className="flex items-center gap-3">
          <Spinner /> {words.reading}
        </p>
      ) : step.is === "whole" ? (
        <SendWhole
          file={step.file}
          isPostcard={step.isPostcard}
          {...{ audience, isPrivate }}
          onEnd={anotherFile}
        />
      ) : (
        <ChooseFile {...{ audience, isPrivate, room }} onChoose={(files) => void read(files)} />
      )}
      <UndoList imports={undoable} />
    </div>
  );
}

/** An import that is not at its end, begun by an earlier page or on another device. */
function OpenImport({ open }: { open: ImportView }) {
  const { revalidate } = useRevalidator();
  const { send, sending, problem } = useSending();
  const end = async () => {
    await endImport(open.id);
    await revalidate();
  };

  return (
    <section aria-label={words.importToGoOn} className="grid gap-2 rounded-field bg-base-200 p-3">
      <p className="font-medium">
        {hereOf(open)} {words.sameFile}
      </p>
      {problem ? <FormAlert text={problem.message} /> : null}
      <Button
        look="outline"
        className="justify-self-start noscript:hidden"
        pending={sending}
        onClick={() => void send(end)}
      >
        {words.endHere}
      </Button>
    </section>
  );
}
