import { useSyncExternalStore } from "react";
import { areHere, postsOf } from "#messages/bring.json";
import { importUpload } from "#app/features/archive/bring/import-upload.ts";
import { waitText } from "#app/features/posts/composer/photo-badge.tsx";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { arrived } from "#app/features/posts/composer/upload-share.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { counted } from "#app/lib/text/messages.tsx";

const none: readonly ChosenPhoto[] = [];

/** How far an import from this page is; null while there is none. */
export function useImportUpload() {
  const upload = useSyncExternalStore(importUpload.subscribe, importUpload.now, () => null);
  const { photos } = importUpload;
  const now = useSyncExternalStore(photos.subscribe, photos.now, () => none);
  if (!upload) return null;
  const { total, there, failed, waits } = upload;
  const all = total.bytes - failed.reduce((sum, { post }) => sum + post.bytes, 0);
  const moving = now.reduce((sum, one) => sum + (one.file?.size ?? 0) * one.fraction * arrived, 0);
  const percent = all > 0 ? Math.min(100, Math.floor((100 * (there.bytes + moving)) / all)) : 100;
  const done = wholeCount(there.posts);
  const [count, here] = [postsOf, areHere].map((forms) =>
    counted(forms, total.posts - failed.length, { done }),
  );
  const waiting = now.find(({ state }) => state === "waiting");
  const wait = waiting ? waitText(waiting) : waitText({ waits });
  return { ...upload, percent, count, here, wait };
}
