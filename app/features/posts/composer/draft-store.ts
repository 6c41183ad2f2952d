import type { PostChoices } from "#shared/posts.ts";
import type { StoredPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { browserDatabase, finished } from "#app/lib/indexed-db.ts";
import { draftPrefix, draftsDatabase } from "#app/lib/browser-data.ts";
import { browserStorage } from "#app/lib/storage.ts";

/** A post that is being written, as its browser stores it. */
export type StoredDraft = {
  /** also the idempotency key of its publishing */
  id: string;
  accountId: string;
  /** counts writes, so that a tab notices that another one wrote */
  revision: number;
  caption: string;
  photos: StoredPhoto[];
  /** drafts stored before a choice existed lack it */
  shows?: Partial<PostChoices>;
  /** of the last change, epoch ms */
  at: number;
};

// Files apart from the drafts: a photo is written once, its draft with every change of the text.
const inBoth = browserDatabase(draftsDatabase, { drafts: { keyPath: "id" }, files: {} });

type Stores = Parameters<Parameters<typeof inBoth>[0]>[0];

/** Removes the files that no draft names any more. */
async function sweepFiles({ drafts, files }: Stores): Promise<void> {
  const all = await finished<StoredDraft[]>(drafts.getAll());
  const named = new Set(all.flatMap(({ photos }) => photos.map(({ id }) => id)));
  for (const key of await finished(files.getAllKeys())) {
    if (typeof key === "string" && !named.has(key)) files.delete(key);
  }
}

/** Key of the draft of a page that was left, as it stood at that moment. */
const leftKey = `${draftPrefix}of a post`;
const leftDraft = () => browserStorage.readJson(leftKey) as StoredDraft | null;

function forgetLeft(id: string): void {
  if (leftDraft()?.id === id) browserStorage.write(leftKey, null);
}

/** With what a page that was left could not write in time; unless its draft was changed or removed later. */
function withLeft(all: readonly StoredDraft[]): readonly StoredDraft[] {
  const left = leftDraft();
  const written = left && all.find(({ id }) => id === left.id);
  if (!left || (written ? written.at >= left.at : left.revision > 0)) return all;
  const { revision = 0 } = written ?? {};
  return [...all.filter((draft) => draft !== written), { ...left, revision }];
}

/** Drafts in this browser's own database. They throw where nothing, or nothing more, can be stored. */
export const draftStore = {
  /**
   * Writes a draft if it is still at `draft.revision` (0: not stored yet), and files that are not there
   * yet. If another tab wrote or removed it, nothing is written.
   * @returns whether it was
   */
  write: (draft: StoredDraft, newFiles: ReadonlyMap<string, Blob>): Promise<boolean> =>
    inBoth(async (stores) => {
      const { drafts, files } = stores;
      const earlier = await finished<StoredDraft | undefined>(drafts.get(draft.id));
      if ((earlier?.revision ?? 0) !== draft.revision) return false;
      drafts.put({ ...draft, revision: draft.revision + 1 });
      for (const [id, file] of newFiles) files.put(file, id);
      await sweepFiles(stores);
      forgetLeft(draft.id);
      return true;
    }),

  /** At once, and without files: a page that is being closed finishes nothing else. */
  leave: (draft: StoredDraft): void => browserStorage.write(leftKey, JSON.stringify(draft)),

  drop: (id: string): Promise<void> =>
    inBoth(async (stores) => {
      stores.drafts.delete(id);
      await sweepFiles(stores);
      forgetLeft(id);
    }),

  /** The newest first. */
  of: (accountId: string): Promise<StoredDraft[]> =>
    inBoth(async ({ drafts }) => {
      const all = await finished<StoredDraft[]>(drafts.getAll());
      return withLeft(all)
        .filter((draft) => draft.accountId === accountId)
        .toSorted((one, other) => other.at - one.at);
    }),

  /** A draft's photos with their files; without those whose files are gone. */
  filesOf: ({ photos }: StoredDraft): Promise<(StoredPhoto & { file: Blob | null })[]> =>
    inBoth(async ({ files }) => {
      const found: (StoredPhoto & { file: Blob | null })[] = [];
      for (const photo of photos) {
        const file: unknown = await finished(files.get(photo.id));
        if (file instanceof Blob) found.push({ ...photo, file });
        else if (photo.imageId !== null) found.push({ ...photo, file: null });
      }
      return found;
    }),
};
