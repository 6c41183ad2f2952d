import { useLayoutEffect, useRef } from "react";
import type { AlbumPhoto } from "#shared/views.ts";
import * as words from "#messages/albums.json";
import * as common from "#messages/common.json";
import { errorMessage, sendJson } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import type { useInfiniteList } from "#app/lib/lists/use-infinite-list.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { ask } from "#app/ui/ask.ts";

/** Whether a change was saved; otherwise a message says what stays, and why. */
async function isSaved(call: Promise<unknown>, stays: string): Promise<boolean> {
  try {
    await call;
    forgetLists();
    return true;
  } catch (error) {
    notify.error(fill(stays, { reason: errorMessage(error) }));
    return false;
  }
}

/** Moves at once, and back with a message where that fails. Each move says which photo it follows. */
export function useArranging(id: string, list: ReturnType<typeof useInfiniteList<AlbumPhoto>>) {
  const { items, change } = list;
  const moved = useRef<string | null>(null);
  /** as the server has them */
  const saved = useRef(items);
  /** One after another: what is moved twice is where it was moved last. */
  const saving = useRef(Promise.resolve());
  const now = useRef(items);
  useLayoutEffect(() => {
    now.current = items;
  }, [items]);

  function moveTo(item: string, to: number): void {
    const photo = now.current.find((one) => one.id === item);
    if (!photo) return;
    if (moved.current === null) saved.current = now.current;
    now.current = now.current.filter((one) => one !== photo).toSpliced(to, 0, photo);
    const changed = now.current;
    change((shown) => ({ ...shown, items: changed }));
    moved.current = item;
  }

  function save(): void {
    const item = moved.current;
    if (item === null) return;
    moved.current = null;
    const before = saved.current;
    const at = now.current.findIndex((one) => one.id === item);
    const after = now.current[at - 1]?.id ?? null;
    const earlier = saving.current;
    const send = async () => {
      await earlier;
      const call = sendJson("PUT", `/api/albums/${id}/order`, { item, after });
      if (!(await isSaved(call, words.notMoved))) {
        change((shown) => ({ ...shown, items: before }));
      }
    };
    saving.current = send();
  }

  async function takeOut({ id: item, authorUsername, number, audience }: AlbumPhoto) {
    const sure = await ask({
      title: words.takeThisOut,
      text: audience === "album" ? words.addedGoes : words.postStays,
      ok: words.takeOut,
      cancel: common.cancel,
    });
    if (!sure) return;
    const call = sendJson("DELETE", `/api/albums/${id}/posts/${authorUsername}/${number}`);
    if (await isSaved(call, words.stillInAlbum)) {
      change((shown) => ({ ...shown, items: shown.items.filter((one) => one.id !== item) }));
    }
  }

  async function makeCover({ id: item }: AlbumPhoto) {
    const call = sendJson("PUT", `/api/albums/${id}/cover`, { item });
    if (await isSaved(call, words.coverStill)) notify.success(words.coverChanged);
  }

  return { items, moveTo, save, takeOut, makeCover };
}
