import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDiskReserve } from "#server/platform/db/disk-reserve.ts";
import { afterFile } from "#server/test/after-file.ts";

const megabyte = 2 ** 20;

test("a reserve is made, released when the disk is full, and made again when there is room", async () => {
  const folder = mkdtempSync(join(tmpdir(), "postcard-reserve-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "reserve");
  let free = 500;
  let time = 0;
  const calls: boolean[] = [];
  const errors: string[] = [];
  const reserve = createDiskReserve({
    folder,
    free: async () => free * megabyte,
    now: () => time,
    onFull: (full) => calls.push(full),
    log: { info: () => undefined, error: (_details, message) => errors.push(message) },
  });
  afterFile(() => reserve.stop());

  await reserve.look();
  expect(existsSync(file)).toBe(false);
  time = 60_000;
  await reserve.look();
  expect(statSync(file).size).toBe(64 * megabyte);
  expect(calls).toEqual([]);

  free = 10;
  await reserve.look();
  expect([existsSync(file), calls]).toEqual([false, [true]]);
  // The room it released is not available to others.
  free = 74;
  await reserve.look();
  expect([existsSync(file), calls]).toEqual([false, [true]]);
  expect(errors).toHaveLength(1);

  free = 400;
  await reserve.look();
  expect([statSync(file).size, calls]).toEqual([64 * megabyte, [true, false]]);
});
