import type { StoredDraft } from "#app/features/posts/composer/draft-store.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";

/** The content of a draft. */
type Written = Pick<StoredDraft, "caption" | "photos" | "shows">;

/**
 * saved: nothing would be lost; writing: photos are being copied; full, never: the content is stored
 * nowhere else.
 */
export type AutosaveState = "saved" | "writing" | "full" | "never";

type Deps = {
  accountId: string;
  saved: {
    write: (draft: StoredDraft, files: ReadonlyMap<string, Blob>) => Promise<boolean>;
    drop: (id: string) => Promise<void>;
    leave: (draft: StoredDraft) => void;
  };
  /** the current content of the composer */
  read: () => { written: Written; files: ReadonlyMap<string, Blob> };
  onAutosaveState: (autosaveState: AutosaveState) => void;
  /** from then on nothing is stored: the member signed out */
  forgotten: () => boolean;
};

/** Between a change and its writing, since text is typed one character at a time, milliseconds. */
const gatherMs = 200;

/** The draft that is being written. */
type Current = {
  id: string;
  revision: number;
  /** photos whose files were written */
  stored: ReadonlySet<string>;
  /** the content that was written last, as JSON */
  last: string;
};

const blank = (): Current => ({ id: randomKey(), revision: 0, stored: new Set(), last: "" });

async function writeInto(
  deps: Deps,
  current: Current,
  { written, files }: ReturnType<Deps["read"]>,
): Promise<void> {
  const { accountId, saved, onAutosaveState } = deps;
  const missing = new Map([...files].filter(([photo]) => !current.stored.has(photo)));
  if (missing.size > 0) onAutosaveState("writing");
  const { id, revision } = current;
  if (await saved.write({ id, accountId, revision, ...written, at: Date.now() }, missing)) {
    current.revision += 1;
    current.stored = new Set(files.keys());
    return;
  }
  Object.assign(current, blank());
  await writeInto(deps, current, { written, files });
}

const isEmpty = ({ caption, photos, shows }: Written) =>
  `${caption}${shows?.warning ?? ""}`.trim() === "" && photos.length === 0;

/** Whether it was written last. */
const isWritten = ({ id, last }: Current, written: Written) =>
  JSON.stringify([id, written]) === last;

/** Writes the content of the composer, unless it is written, and reports the result. */
async function write(deps: Deps, current: Current): Promise<void> {
  const { saved, read, onAutosaveState } = deps;
  const { written, files } = read();
  if (isWritten(current, written)) return;
  try {
    if (isEmpty(written)) {
      if (current.revision > 0) await saved.drop(current.id);
      Object.assign(current, blank());
    } else {
      await writeInto(deps, current, { written, files });
      current.last = JSON.stringify([current.id, written]);
    }
    onAutosaveState("saved");
  } catch (error) {
    const full = error instanceof DOMException && error.name === "QuotaExceededError";
    onAutosaveState(full ? "full" : "never");
  }
}

/**
 * Saves the content of a composer as a draft, automatically. Two composers never write to the same draft:
 * one that finds that another tab changed or removed it continues in a draft of its own.
 */
export function createDraftAutosave(deps: Deps) {
  const current = blank();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  let over = false;

  function stopWaiting(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  async function writeUnlessOver(): Promise<void> {
    if (!over && !deps.forgotten()) await write(deps, current);
  }

  /** Writes what is not written yet; resolves when it is. */
  function flush(): Promise<void> {
    stopWaiting();
    writing = writing.then(writeUnlessOver);
    return writing;
  }

  /** The content of the composer is another post than the published one. */
  const startAnew = () => void Object.assign(current, blank());

  /** The content was discarded: the next write is another draft. */
  async function drop(): Promise<void> {
    stopWaiting();
    await writing;
    const { id, revision } = current;
    startAnew();
    if (revision > 0) await deps.saved.drop(id).catch(() => undefined);
  }

  return {
    /** of the draft: publishes it once */
    id: () => current.id,

    /** Something changed. */
    touch(): void {
      timer ??= setTimeout(() => void flush(), gatherMs);
    },

    flush,

    /** The page may be closed now. */
    leave(): void {
      const { written } = deps.read();
      const { id, revision } = current;
      const unwritten = !isEmpty(written) && !isWritten(current, written);
      if (unwritten && !over && !deps.forgotten()) {
        deps.saved.leave({ id, accountId: deps.accountId, revision, ...written, at: Date.now() });
      }
      void flush();
    },

    /** Continues a draft that an earlier page left. */
    adopt({ id, revision }: StoredDraft, photos: readonly string[]): void {
      Object.assign(current, { id, revision, stored: new Set(photos), last: "" });
    },

    startAnew,
    drop,

    /** The post is published: nothing is stored any more. */
    async finish(): Promise<void> {
      over = true;
      await drop();
    },
  };
}

export type DraftAutosave = ReturnType<typeof createDraftAutosave>;
