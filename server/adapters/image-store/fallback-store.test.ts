import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { ImageStore } from "#server/adapters/image-store/image-store.ts";
import { createFallbackStore } from "#server/adapters/image-store/fallback-store.ts";
import { refuse } from "#shared/errors.ts";

const key = "0a053cf212ddd42455919b565b50a076";
const photo = { bytes: 5, read: () => Readable.from("whole"), close: async () => undefined };
const store = (open: () => Promise<typeof photo | null>) => ({ open }) as unknown as ImageStore;
const has = store(async () => photo);
const lacks = store(async () => null);
const halfWritten = store(async () => {
  throw refuse("picture-damaged");
});

test("what one store has half written is read from the other, and is an error if no other has it", async () => {
  expect(await createFallbackStore(halfWritten, has).open(key, 96)).toBe(photo);
  await expect(createFallbackStore(halfWritten, lacks).open(key, 96)).rejects.toMatchObject({
    code: "picture-damaged",
  });
  const away = store(async () => {
    throw refuse("picture-host-away");
  });
  await expect(
    createFallbackStore(away, has).open(key, 96),
    "a store that is away is an error",
  ).rejects.toMatchObject({ code: "picture-host-away" });
});
