import { beforeEach, expect, test } from "vitest";
import {
  createDraftAutosave,
  type AutosaveState,
} from "#app/features/posts/composer/draft-autosave.ts";
import type { StoredDraft } from "#app/features/posts/composer/draft-store.ts";

/** The storage that all tabs of a browser share. */
let stored: Map<string, StoredDraft>;
let files: Map<string, Blob>;
let fault: Error | null;
let left: StoredDraft | null;
let forgotten: boolean;

beforeEach(() => {
  stored = new Map();
  files = new Map();
  fault = null;
  left = null;
  forgotten = false;
});

function tab() {
  const on = { caption: "", photos: [] as string[], states: [] as AutosaveState[] };
  const autosave = createDraftAutosave({
    accountId: "ana",
    forgotten: () => forgotten,
    onAutosaveState: (autosaveState) => void on.states.push(autosaveState),
    read: () => ({
      written: {
        caption: on.caption,
        photos: on.photos.map((id) => ({ id, name: id, alt: "", url: null, imageId: null })),
      },
      files: new Map(on.photos.map((id) => [id, new Blob([id])])),
    }),
    saved: {
      write: async (draft, missing) => {
        if (fault) throw fault;
        if ((stored.get(draft.id)?.revision ?? 0) !== draft.revision) return false;
        stored.set(draft.id, { ...draft, revision: draft.revision + 1 });
        for (const [id, file] of missing) files.set(id, file);
        return true;
      },
      drop: async (id) => void stored.delete(id),
      leave: (draft) => void (left = draft),
    },
  });
  return Object.assign(on, {
    autosave,
    async write(caption: string) {
      on.caption = caption;
      await autosave.flush();
    },
  });
}

const captions = () => [...stored.values()].map(({ caption }) => caption);

test("the composer writes one draft, and leaves none when it is emptied", async () => {
  const one = tab();
  await one.write("Half");
  await one.write("Half a thought");
  expect(captions()).toEqual(["Half a thought"]);
  expect([...stored.keys()]).toEqual([one.autosave.id()]);
  await one.write("  ");
  expect(captions()).toEqual([]);
});

test("two tabs with the same draft never overwrite each other", async () => {
  const [one, other] = [tab(), tab()];
  await one.write("Begun");
  const [draft] = stored.values();
  if (!draft) throw new Error("Nothing was stored");
  other.autosave.adopt(draft, []);
  other.caption = "Begun";
  await one.write("Begun here");
  await other.write("Begun there");
  expect(captions().toSorted()).toEqual(["Begun here", "Begun there"]);
  expect(one.autosave.id()).not.toBe(other.autosave.id());
});

test("an untouched tab does not bring back what another one published, and a change becomes another post", async () => {
  const [one, other] = [tab(), tab()];
  await one.write("Begun");
  const [draft] = stored.values();
  if (!draft) throw new Error("Nothing was stored");
  other.autosave.adopt(draft, []);
  const published = other.autosave.id();
  await one.autosave.finish();
  expect(captions()).toEqual([]);
  await other.write("Another one");
  expect(other.autosave.id()).not.toBe(published);
  expect(captions()).toEqual(["Another one"]);
});

test("after publishing, a composer stores nothing", async () => {
  const one = tab();
  await one.write("Out");
  await one.autosave.finish();
  await one.write("Left on the screen");
  expect(captions()).toEqual([]);
});

test("files are written once, and again into a new draft", async () => {
  const one = tab();
  one.photos = ["red"];
  await one.write("a");
  expect(one.states).toEqual(["writing", "saved"]);
  await one.write("ab");
  expect(one.states).toEqual(["writing", "saved", "saved"]);
  stored.clear();
  files.clear();
  await one.write("abc");
  expect([...files.keys()]).toEqual(["red"]);
});

test("a full device, one that stores nothing, and one that can again are distinguished", async () => {
  const one = tab();
  fault = new DOMException("", "QuotaExceededError");
  await one.write("a");
  fault = new DOMException("", "InvalidStateError");
  await one.write("ab");
  fault = null;
  await one.write("abc");
  expect(one.states).toEqual(["full", "never", "saved"]);
});

test("after a sign-out nothing is written any more", async () => {
  const one = tab();
  await one.write("Before");
  stored.clear();
  forgotten = true;
  await one.write("After");
  expect(captions()).toEqual([]);
});

test("what was typed a moment before a page is left is stored at once, unless it is written already", async () => {
  const one = tab();
  await one.write("Half a thought");
  one.autosave.leave();
  expect(left).toBeNull();
  one.caption = "A whole thought";
  one.autosave.leave();
  expect(left).toMatchObject({ id: one.autosave.id(), revision: 1, caption: "A whole thought" });
  left = null;
  await one.autosave.finish();
  one.autosave.leave();
  expect(left).toBeNull();
});
