import type { CommentThread, CommentView, Page } from "#shared/views.ts";
import { appendPage } from "#app/lib/lists/older-pages.ts";
import { removeComment } from "#app/features/comments/thread-changes.ts";
import { getJson, isGone } from "#app/lib/api-client.ts";

type Comments = Page<CommentThread>;
type Existing = { ids: string[]; to: string };

/**
 * Reads what came after the end, once it is there. `path` answers comments. The list is read again after
 * the answer: it may have changed meanwhile.
 */
export async function readNewer(list: () => Comments, path: string): Promise<Comments | null> {
  const { items, nextCursor } = list();
  if (nextCursor !== null) return null;
  const last = items.at(-1)?.id;
  const fresh = await getJson<Comments>(last ? `${path}?after=${last}` : path);
  return appendPage(list(), fresh);
}

/** Which of the listed comments are gone. The list is one range; each of one's own beyond it is another. */
export async function findGone(
  { list, own }: { list: Comments; own: CommentThread[] },
  path: string,
): Promise<string[]> {
  const listed = list.items.map(({ id }) => id);
  const beyond = own.flatMap(({ id }) => (listed.includes(id) ? [] : id));
  const existing = new Set<string>();
  for (const ids of [listed, ...beyond.map((id) => [id])]) {
    const to = ids.at(-1);
    if (to === undefined) continue;
    for (let from = ids[0] ?? to, reached = ""; reached !== to; from = reached) {
      const left = await getJson<Existing>(`${path}/standing?from=${from}&to=${to}`);
      for (const id of left.ids) existing.add(id);
      reached = left.to;
    }
  }
  return [...listed, ...beyond].filter((id) => !existing.has(id));
}

type Shown = { roots: () => CommentThread[]; onChanged: (comment: CommentView) => void };

/** Reads comments again: those that are gone are removed from their thread and its count. */
export async function readComments(
  ids: readonly string[],
  path: string,
  { roots, onChanged }: Shown,
): Promise<void> {
  for (const id of ids) {
    try {
      onChanged(await getJson<CommentView>(`${path}/${id}`));
    } catch (error) {
      if (!isGone(error)) throw error;
      const thread = roots().find(({ replies }) => replies.items.some((reply) => reply.id === id));
      removeComment({ id, rootId: thread?.id ?? null });
    }
  }
}
