import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import type fs from "node:fs";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { storageRefusal } from "#server/platform/storage-faults.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { imagesOnDisk } from "#server/test/image-stores.ts";
import { scene } from "#server/test/images.ts";
import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";

/** The error that writing a file fails with from now on; null lets it work. */
const disk = vi.hoisted(() => ({ fails: null as string | null }));

vi.mock("node:fs", async (original) => {
  const real = await original<typeof fs>();
  return {
    ...real,
    createWriteStream: (...args: Parameters<typeof real.createWriteStream>) => {
      if (disk.fails === null) return real.createWriteStream(...args);
      const error = Object.assign(new Error("write failed"), { code: disk.fails });
      const stream = new Writable({ write: (_chunk, _encoding, done) => done(error) });
      queueMicrotask(() => stream.emit("open"));
      return stream;
    },
  };
});

const { db } = await freshDatabase();
const { features, call } = await testApp(db);
let ada: Viewer;
let photo: Buffer;
beforeAll(async () => {
  ada = await features.member("Ada");
  photo = await (await scene(800, 600)).jpeg({ quality: 90 }).toBuffer();
});
beforeEach(() => {
  vi.spyOn(features.store, "put");
});
afterEach(() => {
  disk.fails = null;
  vi.restoreAllMocks();
});

async function send() {
  const form = new FormData();
  form.set("image", new Blob([new Uint8Array(photo)]), "photo.jpg");
  return call(ada, "POST", "/api/images", { payload: form });
}
const faultOf = (code: string) => Object.assign(new Error("no"), { code });

const full = [507, "disk-full"] as const;
const readOnly = [503, "disk-read-only"] as const;
const faults = [
  ["ENOSPC", ...full],
  ["EDQUOT", ...full],
  ["EROFS", ...readOnly],
] as const;

describe("a disk that accepts no more data is not blamed on the sender", () => {
  test.each(faults)("while the form arrives: %s", async (code, status, refusal) => {
    disk.fails = code;
    const answer = await send();
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, refusal]);
    expect(answer.headers["retry-after"]).toBe("300");
    disk.fails = null;
    expect((await send()).statusCode).toBe(201);
  });

  test.each(faults)("while the image is stored: %s", async (code, status, refusal) => {
    vi.mocked(features.store.put).mockRejectedValueOnce(faultOf(code));
    const answer = await send();
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, refusal]);
    expect((await send()).statusCode).toBe(201);
  });

  test("at a sign-up: the avatar is not called invalid", async () => {
    vi.mocked(features.store.put).mockRejectedValueOnce(faultOf("ENOSPC"));
    await expect(features.member("Bea")).rejects.toMatchObject({ code: "disk-full" });
  });

  test("any other broken form is reported as before", async () => {
    disk.fails = "EIO";
    expect((await send()).json().error.code).toBe("form-broken");
  });
});

test.each([null, undefined, "ENOSPC", new Error("no"), faultOf("EIO"), refuse("not-found")])(
  "%s is no fault of the disk",
  (error) => expect(storageRefusal(error)).toBeNull(),
);

/** Mounting needs root: elsewhere the simulated errors above replace it. */
const mayMount = (() => {
  const folder = join(features.folder, randomUUID());
  try {
    mkdirSync(folder);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

test.skipIf(!mayMount || !imagesOnDisk())(
  "a real file system that is full, and then read-only (skipped where nothing may be mounted)",
  async () => {
    const images = join(features.folder, "images");
    mkdirSync(images, { recursive: true });
    const mount = (options: string) =>
      execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", images]);
    mount("size=16k");
    try {
      expect((await send()).json().error.code).toBe("disk-full");
      mount("remount,ro");
      expect((await send()).json().error.code).toBe("disk-read-only");
    } finally {
      execFileSync("umount", [images]);
    }
    expect((await send()).statusCode).toBe(201);
  },
);
