import { useSyncExternalStore } from "react";
import * as words from "#messages/albums.json";
import { albumUploads } from "#app/features/albums/album-uploads.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { SendingProgress } from "#app/features/sending/sending-progress.tsx";
import { counted, fill } from "#app/lib/text/messages.tsx";

/** Of a photo whose bytes have all arrived: the rest is the server's work on it. */
const arrived = 0.9;

const none: readonly ChosenPhoto[] = [];

/** How far the photos on their way into albums are. */
export function useAlbumUploads() {
  const all = useSyncExternalStore(albumUploads.subscribe, albumUploads.all, () => none);
  const failed = all.filter(({ state }) => state === "failed");
  const sent = all.filter(({ state }) => state === "sent").length;
  const sending = all.length - failed.length - sent > 0;
  let [bytes, done] = [0, 0];
  for (const { file, state, fraction } of all) {
    if (state === "failed") continue;
    const size = file?.size ?? 0;
    bytes += size;
    done += size * (state === "sent" ? 1 : arrived * fraction);
  }
  const percent = bytes > 0 ? Math.floor((100 * done) / bytes) : 100;
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
