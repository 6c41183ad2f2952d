import * as words from "#messages/bring.json";
import { importUpload } from "#app/features/archive/bring/import-upload.ts";
import { useImportUpload } from "#app/features/archive/bring/use-import-upload.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { FailedList } from "#app/features/sending/failed-list.tsx";
import { SendingProgress } from "#app/features/sending/sending-progress.tsx";
import { counted } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";

/** Posts on their way, on their own page: pause, go on, stop, and those that failed. */
export function ImportProgress({
  upload,
}: {
  upload: NonNullable<ReturnType<typeof useImportUpload>>;
}) {
  const { state, count, percent, wait, problem, failed } = upload;
  const going = state === "sending";
  return (
    <div className="grid gap-4 px-4 pb-8 md:px-0">
      {problem ? <FormAlert text={problem} /> : null}
      {state === "undecided" ? null : (
        <>
          <SendingProgress
            count={count}
            percent={percent}
            wait={state === "paused" ? words.paused : wait}
            label={words.yourPosts}
          />
          <p className="text-sm text-pretty text-muted">{words.keepOpen}</p>
          <div className="flex flex-wrap gap-2">
            {going ? (
              <Button onClick={importUpload.pause}>{words.pause}</Button>
            ) : (
              <Button look="primary" onClick={importUpload.goOn}>
                {words.goOn}
              </Button>
            )}
            <Button look="quiet" onClick={() => void importUpload.end()}>
              {words.stop}
            </Button>
          </div>
        </>
      )}
      {failed.length > 0 ? (
        <FailedList
          title={counted(words.failedPosts, failed.length)}
          failed={failed}
          {...(state === "undecided" && {
            onTryAgain: importUpload.retry,
            onLeaveOut: () => void importUpload.end(),
          })}
        />
      ) : null}
    </div>
  );
}
