import type { KeptDraft } from "#app/features/posts/composer/kept-drafts.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";

/** What a draft holds. */
export type Written = Pick<KeptDraft, "caption" | "photos" | "shows">;

/**
 * kept: nothing would be lost; writing: photos are being copied; full, never: what is here is kept
 * nowhere else.
 */
export type Keeping = "kept" | "writing" | "full" | "never";

type Deps = {
  accountId: string;
  kept: {
    write: (draft: KeptDraft, files: ReadonlyMap<string, Blob>) => Promise<boolean>;
    drop: (id: string) => Promise<void>;
  };
  /** what stands in the composer now */
  read: () => { written: Written; files: ReadonlyMap<string, Blob> };
  onKeeping: (keeping: Keeping) => void;
  /** from then on nothing is kept: the member signed out */
  forgotten: () => boolean;
};

/** Between a change and its writing: words are typed one letter at a time, milliseconds. */
const gatherMs = 200;

/**
 * Keeps what stands in a composer as a draft, by itself. Two composers never write into the same
 * draft: whoever finds that another tab changed or removed it goes on in a draft of its own.
 */
export function createDraftKeeper({ accountId, kept, read, onKeeping, forgotten }: Deps) {
  let id = randomKey();
  let revision = 0;
  /** photos whose files were written */
  let stored = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();
  let last = "";
  let over = false;

  async function write(): Promise<void> {
    if (over || forgotten()) return;
    const { written, files } = read();
    const text = JSON.stringify([id, written]);
    if (text === last) return;
    try {
      const empty = written.caption.trim() === "" && written.photos.length === 0;
      if (empty) {
        if (revision > 0) await kept.drop(id);
        startAnew();
      } else {
        await writeInto(written, files);
        last = JSON.stringify([id, written]);
      }
      onKeeping("kept");
    } catch (error) {
      const full = error instanceof DOMException && error.name === "QuotaExceededError";
      onKeeping(full ? "full" : "never");
    }
  }

  async function writeInto(written: Written, files: ReadonlyMap<string, Blob>): Promise<void> {
    const missing = new Map([...files].filter(([photo]) => !stored.has(photo)));
    if (missing.size > 0) onKeeping("writing");
    const draft = { id, accountId, revision, ...written, at: Date.now() };
    if (await kept.write(draft, missing)) {
      revision += 1;
      stored = new Set(files.keys());
      return;
    }
    startAnew();
    await writeInto(written, files);
  }

  function startAnew(): void {
    id = randomKey();
    revision = 0;
    stored = new Set();
    last = "";
  }

  /** Writes what is not written yet; resolves when it is. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  async function drop(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    await writing;
    const former = id;
    const wasKept = revision > 0;
    startAnew();
    if (wasKept) await kept.drop(former).catch(() => undefined);
  }

  return {
    /** of the draft: publishes it once */
    id: () => id,

    /** Something changed. */
    touch(): void {
      timer ??= setTimeout(() => void flush(), gatherMs);
    },

    flush,

    /** Goes on in a draft that an earlier page left. */
    adopt(draft: KeptDraft, photos: readonly string[]): void {
      id = draft.id;
      revision = draft.revision;
      stored = new Set(photos);
      last = "";
    },

    /** What stands in the composer is another post than the one that went out. */
    startAnew,

    /** What stands here was given up: what is written next is another draft. */
    drop,

    /** The post is out: nothing is kept any more. */
    async finish(): Promise<void> {
      over = true;
      await drop();
    },
  };
}

export type DraftKeeper = ReturnType<typeof createDraftKeeper>;
