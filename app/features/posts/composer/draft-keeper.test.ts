import { beforeEach, expect, test } from "vitest";
import { createDraftKeeper, type Keeping } from "#app/features/posts/composer/draft-keeper.ts";
import type { KeptDraft } from "#app/features/posts/composer/kept-drafts.ts";

/** What all tabs of a browser share. */
let stored: Map<string, KeptDraft>;
let files: Map<string, Blob>;
let fault: Error | null;
let forgotten: boolean;

beforeEach(() => {
  stored = new Map();
  files = new Map();
  fault = null;
  forgotten = false;
});

function tab() {
  const on = { caption: "", photos: [] as string[], said: [] as Keeping[] };
  const keeper = createDraftKeeper({
    accountId: "ana",
    forgotten: () => forgotten,
    onKeeping: (keeping) => void on.said.push(keeping),
    read: () => ({
      written: {
        caption: on.caption,
        photos: on.photos.map((id) => ({ id, name: id, alt: "", url: null, imageId: null })),
      },
      files: new Map(on.photos.map((id) => [id, new Blob([id])])),
    }),
    kept: {
      write: async (draft, missing) => {
        if (fault) throw fault;
        if ((stored.get(draft.id)?.revision ?? 0) !== draft.revision) return false;
        stored.set(draft.id, { ...draft, revision: draft.revision + 1 });
        for (const [id, file] of missing) files.set(id, file);
        return true;
      },
      drop: async (id) => void stored.delete(id),
    },
  });
  return Object.assign(on, {
    keeper,
    async write(caption: string) {
      on.caption = caption;
      await keeper.flush();
    },
  });
}

const captions = () => [...stored.values()].map(({ caption }) => caption);

test("what is written stands in one draft, and an emptied composer leaves none", async () => {
  const one = tab();
  await one.write("Half");
  await one.write("Half a thought");
  expect(captions()).toEqual(["Half a thought"]);
  expect([...stored.keys()]).toEqual([one.keeper.id()]);
  await one.write("  ");
  expect(captions()).toEqual([]);
});

test("two tabs with the same draft never write over each other", async () => {
  const [one, other] = [tab(), tab()];
  await one.write("Begun");
  const [draft] = stored.values();
  if (!draft) throw new Error("Nothing was kept");
  other.keeper.adopt(draft, []);
  other.caption = "Begun";
  await one.write("Begun here");
  await other.write("Begun there");
  expect(captions().toSorted()).toEqual(["Begun here", "Begun there"]);
  expect(one.keeper.id()).not.toBe(other.keeper.id());
});

test("what another tab published is not brought back by an untouched one, and a change is another post", async () => {
  const [one, other] = [tab(), tab()];
  await one.write("Begun");
  const [draft] = stored.values();
  if (!draft) throw new Error("Nothing was kept");
  other.keeper.adopt(draft, []);
  const published = other.keeper.id();
  await one.keeper.finish();
  expect(captions()).toEqual([]);
  await other.write("Another one");
  expect(other.keeper.id()).not.toBe(published);
  expect(captions()).toEqual(["Another one"]);
});

test("after its post is out a composer keeps nothing", async () => {
  const one = tab();
  await one.write("Out");
  await one.keeper.finish();
  await one.write("Left on the screen");
  expect(captions()).toEqual([]);
});

test("files are written once, and again into a draft of its own", async () => {
  const one = tab();
  one.photos = ["red"];
  await one.write("a");
  expect(one.said).toEqual(["writing", "kept"]);
  await one.write("ab");
  expect(one.said).toEqual(["writing", "kept", "kept"]);
  stored.clear();
  files.clear();
  await one.write("abc");
  expect([...files.keys()]).toEqual(["red"]);
});

test("a full device, one that keeps nothing, and one that can again are told apart", async () => {
  const one = tab();
  fault = new DOMException("", "QuotaExceededError");
  await one.write("a");
  fault = new DOMException("", "InvalidStateError");
  await one.write("ab");
  fault = null;
  await one.write("abc");
  expect(one.said).toEqual(["full", "never", "kept"]);
});

test("after a sign-out nothing is written any more", async () => {
  const one = tab();
  await one.write("Before");
  stored.clear();
  forgotten = true;
  await one.write("After");
  expect(captions()).toEqual([]);
});
