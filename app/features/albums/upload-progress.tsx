import { useSyncExternalStore } from "react";
import * as words from "#messages/albums.json";
import { albumUploads } from "#app/features/albums/album-uploads.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { uploadShare } from "#app/features/posts/composer/upload-share.ts";
import { SendingProgress } from "#app/features/sending/sending-progress.tsx";
import { counted, fill } from "#app/lib/text/messages.tsx";

const none: readonly ChosenPhoto[] = [];

/** How far the photos on their way into albums are. */
export function useAlbumUploads() {
  const all = useSyncExternalStore(albumUploads.subscribe, albumUploads.all, () => none);
  const failed = all.filter(({ state }) => state === "failed");
  const sent = all.filter(({ state }) => state === "sent").length;
  const sending = all.length - failed.length - sent > 0;
  const { percent } = uploadShare(all.filter(({ state }) => state !== "failed"));
  const waiting = all.find(({ state }) => state === "waiting");
  return { all, failed, sent, sending, percent, wait: waiting && waitText(waiting) };
}

/** How far they are, and what they wait for. */
export function UploadProgress() {
  const { all, failed, sent, percent, wait } = useAlbumUploads();
  const count = fill(words.sentOf, { sent, all: all.length - failed.length });
  return (
    <SendingProgress count={count} percent={percent} wait={wait} label={words.photosForTheAlbum} />
  );
}

export const notThrough = (count: number) => counted(words.notThrough, count);
