import { useEffect, useRef, useSyncExternalStore } from "react";
import { useLocation, useRevalidator } from "react-router";
import { show } from "#messages/common.json";
import * as words from "#messages/albums.json";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { albumUploads } from "#app/features/albums/album-uploads.ts";
import { photosUnderWay } from "#app/features/albums/photos-under-way.ts";
import {
  notThrough,
  UploadProgress,
  useAlbumUploads,
} from "#app/features/albums/upload-progress.tsx";
import { FailedList } from "#app/features/sending/failed-list.tsx";
import { ChipClose, ChipLink, ChipText, SendingChip } from "#app/features/sending/sending-chip.tsx";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { counted } from "#app/lib/text/messages.tsx";

/** How photos on their way into albums stand, above the bar. Their own page says it itself. */
export function AlbumChip() {
  const accountId = useRootData()?.viewer?.id ?? null;
  const { all, failed, sent, sending } = useAlbumUploads();
  const { pathname } = useLocation();
  useEffect(() => {
    if (accountId !== null) void albumUploads.restore(accountId);
  }, [accountId]);
  useReadAgain(sending, sent);
  // Files that the browser does not keep would be lost.
  const kept = useSyncExternalStore(albumUploads.kept.subscribe, albumUploads.kept.now, () => true);
  useLeaveWarning(sending && !kept);
  const target = albumUploads.target();
  if (all.length === 0 || !target) return null;
  const path = albumPath(target.albumId);
  const addPath = albumPath(target.albumId, "add");
  if (pathname === addPath) return null;
  return (
    <SendingChip label={words.photosForAnAlbum}>
      {sending ? (
        <div className="grow py-1.5 pe-1.5">
          <UploadProgress />
        </div>
      ) : failed.length > 0 ? (
        <>
          <ChipText>{notThrough(failed.length)}</ChipText>
          <ChipLink to={addPath}>{show}</ChipLink>
        </>
      ) : (
        <>
          <ChipText>{counted(words.photosAdded, sent)}</ChipText>
          {pathname !== path && (
            <ChipLink done to={path} onClick={() => photosUnderWay.set(false)}>
              {words.view}
            </ChipLink>
          )}
          <ChipClose onClose={() => photosUnderWay.set(false)} />
        </>
      )}
    </SendingChip>
  );
}

/** What is shown is read again once all are there. */
function useReadAgain(sending: boolean, sent: number): void {
  const { revalidate } = useRevalidator();
  const was = useRef(sending);
  useEffect(() => {
    const ended = was.current && !sending && sent > 0;
    was.current = sending;
    if (!ended) return;
    forgetLists();
    void revalidate();
  }, [sending, sent, revalidate]);
}

/** Those that failed, each with its reason. */
export function FailedPhotos() {
  const { failed } = useAlbumUploads();
  if (failed.length === 0) return null;
  return (
    <FailedList
      title={notThrough(failed.length)}
      failed={failed}
      onTryAgain={albumUploads.retry}
      onLeaveOut={albumUploads.dismiss}
    />
  );
}
