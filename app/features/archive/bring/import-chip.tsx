import { useEffect } from "react";
import { useLocation, useRevalidator } from "react-router";
import * as words from "#messages/bring.json";
import { show } from "#messages/common.json";
import { bringPath } from "#app/features/archive/bring/bring-path.ts";
import { importUpload } from "#app/features/archive/bring/import-upload.ts";
import { useImportUpload } from "#app/features/archive/bring/use-import-upload.ts";
import { ChipClose, ChipLink, ChipText, SendingChip } from "#app/features/sending/sending-chip.tsx";
import { SendingProgress } from "#app/features/sending/sending-progress.tsx";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";

/**
 * How an import from this page stands, above the bar. Its own page says it itself. `quiet`: another one is shown
 * there.
 */
export function ImportChip({ quiet }: { quiet: boolean }) {
  const upload = useImportUpload();
  const { pathname } = useLocation();
  const elsewhere = pathname !== bringPath;
  const ended = upload?.state === "ended";
  // The file would have to be chosen again.
  useLeaveWarning(upload !== null && !ended);
  useReadAgain(ended, elsewhere);
  if (!upload || quiet || !elsewhere) return null;
  const { state, count, here, percent, wait } = upload;
  return (
    <SendingChip label={words.fromElsewhere}>
      {state === "sending" ? (
        <div className="grow py-1.5">
          <SendingProgress count={count} percent={percent} wait={wait} label={words.yourPosts} />
        </div>
      ) : (
        <ChipText>
          {state === "ended"
            ? here
            : state === "paused"
              ? words.importPaused
              : words.importNeedsYou}
        </ChipText>
      )}
      <ChipLink to={ended ? "/settings/data" : bringPath} onClick={importUpload.forget}>
        {show}
      </ChipLink>
      {ended ? <ChipClose onClose={importUpload.forget} /> : null}
    </SendingChip>
  );
}

/** What is shown is read again once an import is at its end; on its own page the outcome then stands there. */
function useReadAgain(ended: boolean, elsewhere: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    async function readAgain(): Promise<void> {
      forgetLists();
      await revalidate();
      if (!elsewhere) importUpload.forget();
    }
    if (ended) void readAgain();
  }, [ended, elsewhere, revalidate]);
}
