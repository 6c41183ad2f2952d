import fs from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequest } from "@remix-run/node-fetch-server";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readForm as readAny, type Bounds, type FormRequest } from "#server/http/multipart.ts";
import { createUploads, type Uploads } from "#server/http/uploads.ts";
import { isRefusal, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

const boundary = "----PostcardTest";
const multipart = `multipart/form-data; boundary=${boundary}`;

let tmpDir: string;
let uploads: Uploads;
beforeEach(async () => {
  tmpDir = join(await mkdtemp(join(tmpdir(), "postcard-form-")), "tmp");
  uploads = createUploads({ folder: tmpDir });
});

/** Reads a form that takes no file. */
const none = (form: FormRequest, bounds: Bounds = {}) => readAny(form, uploads, bounds);

/** A disk that has so much free, each time it is looked at. */
const onDisk = (...free: number[]) =>
  createUploads({ folder: tmpDir, freeBytes: async () => free.shift() ?? 0 });

/** Reads a form that takes one file. */
const readForm = (request: FormRequest, bounds: Bounds = {}) =>
  readAny(request, uploads, { maxFiles: 1, ...bounds });
afterEach(() => rm(join(tmpDir, ".."), { recursive: true, force: true }));

const field = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const file = (name: string, filename: string, content: string | Buffer) =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\n` +
        "Content-Type: application/octet-stream\r\n\r\n",
    ),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);

const end = `--${boundary}--\r\n`;

function body(...parts: (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** In chunks of an awkward size, so that no boundary arrives in one piece. */
function source(bytes: Buffer, contentType = multipart, size = 777, more = {}): FormRequest {
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  const headers = { "content-type": contentType, ...more };
  return Object.assign(Readable.from(pieces(), { objectMode: false }), { headers });
}

const ofSize = (size: number) => source(body(file("image", "a.jpg", Buffer.alloc(size)), end));

async function refusalOf(work: Promise<unknown>): Promise<RefusalCode | "none"> {
  try {
    await work;
    return "none";
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.code;
  }
}

const leftovers = () => readdir(tmpDir).catch(() => []);

describe("a form that arrives whole", () => {
  test("gives its fields as text and its file on disk until cleanup", async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const bytes = body(
      field("caption", "Grüße aus 東京 👩‍👩‍👧"),
      file("image", "ü.jpg", content),
      field("alt", ""),
      end,
    );
    const form = await readForm(source(bytes));
    expect(form.fields).toEqual({ caption: "Grüße aus 東京 👩‍👩‍👧", alt: "" });
    const upload = form.file("image");
    expect(form.files).toEqual({ image: upload });
    expect(form.file("alt")).toBeNull();
    expect(upload).toMatchObject({ bytes: content.length, filename: "ü.jpg" });
    expect(await readFile(upload!.path)).toEqual(content);
    await form.cleanup();
    await form.cleanup();
    expect(await leftovers()).toEqual([]);
  });

  test("can be a web request, as the screens get it", async () => {
    const data = new FormData();
    data.set("caption", "hello");
    data.set("image", new Blob(["pixels"]), "photo.jpg");
    const sent = new Request("http://localhost/", { method: "POST", body: data });
    const form = await readForm(sent);
    expect(form.fields).toEqual({ caption: "hello" });
    expect(form.files.image).toMatchObject({ bytes: 6, filename: "photo.jpg" });
    await form.cleanup();
  });

  test("can be urlencoded", async () => {
    const bytes = Buffer.from("email=a%2Bb%40example.org&caption=one+two&__proto__=x&caption=last");
    const form = await readForm(source(bytes, "application/x-www-form-urlencoded", 3));
    expect(Object.entries(form.fields)).toEqual([
      ["email", "a+b@example.org"],
      ["caption", "last"],
      ["__proto__", "x"],
    ]);
    expect(form.files).toEqual({});
  });

  test("an empty file input is no file, a named empty file is one", async () => {
    const empty = await readForm(source(body(file("image", "", ""), end)));
    expect(empty.files).toEqual({});
    expect(await leftovers()).toEqual([]);
    const named = await readForm(source(body(file("image", "empty.jpg", ""), end)));
    expect(named.files.image).toMatchObject({ bytes: 0, filename: "empty.jpg" });
    await named.cleanup();
  });

  test("a caption of 100,000 characters reaches its feature", async () => {
    const caption = "漢".repeat(100_000);
    const form = await readForm(source(body(field("caption", caption), end)));
    expect(form.fields.caption).toBe(caption);
  });

  test("an image of exactly the limit passes, one byte more does not", async () => {
    const bounds = { fileBytes: 5000 };
    const form = await readForm(ofSize(5000), bounds);
    expect(form.files.image?.bytes).toBe(5000);
    await form.cleanup();
    expect(await refusalOf(readForm(ofSize(5001), bounds))).toBe("picture-too-heavy");
    expect(await leftovers()).toEqual([]);
  });
});

describe("several files of one field", () => {
  const bounds = { maxFiles: 3, several: true, fileBytes: 5000, readPast: true };

  test("come in their order; one too heavy, and those over the number, are refused alone", async () => {
    const bytes = body(
      file("image", "a.jpg", "first"),
      file("image", "b.jpg", Buffer.alloc(200_000, 1)),
      file("image", "c.jpg", "third"),
      file("image", "d.jpg", "one too many"),
      field("caption", "Behind them"),
      end,
    );
    const form = await readForm(source(bytes), bounds);
    expect(form.all("image")).toMatchObject([
      { filename: "a.jpg", bytes: 5 },
      { code: "picture-too-heavy" },
      { filename: "c.jpg", bytes: 5 },
      { code: "too-many-pictures" },
    ]);
    expect(form.all("caption")).toEqual([]);
    expect(form.fields).toEqual({ caption: "Behind them" });
    expect(await leftovers()).toHaveLength(2);
    await form.cleanup();
    expect(await leftovers()).toEqual([]);
  });

  test("are a broken form where only one was asked for", async () => {
    const bytes = body(file("image", "a.jpg", "first"), file("image", "b.jpg", "second"), end);
    expect(await refusalOf(readForm(source(bytes)))).toBe("form-broken");
  });

  test("an empty file input is none of them", async () => {
    const form = await readForm(source(body(file("image", "", ""), end)), bounds);
    expect(form.all("image")).toEqual([]);
    await form.cleanup();
  });
});

describe("a form whose image is too heavy and skipped", () => {
  const bounds = { fileBytes: 5000, readPast: true };

  test("gives the words before and after it back, and nothing of the image", async () => {
    const bytes = body(
      field("clientKey", "k"),
      file("image", "a.jpg", Buffer.alloc(200_000, 1)),
      field("caption", "Typed behind it"),
      file("other", "b.jpg", "small"),
      end,
    );
    const form = await readForm(source(bytes), bounds);
    expect(form.fields).toEqual({ clientKey: "k", caption: "Typed behind it" });
    expect(form.files["image"]).toBeUndefined();
    expect(await refusalOf((async () => form.file("image"))())).toBe("picture-too-heavy");
    expect(form.file("other")).toMatchObject({ bytes: 5 });
    expect(await leftovers()).toHaveLength(1);
    await form.cleanup();
    expect(await leftovers()).toEqual([]);
  });

  test("is still refused when it is cut off, or announces more than anybody may send", async () => {
    const photo = file("image", "a.jpg", Buffer.alloc(200_000, 1));
    const cut = source(photo.subarray(0, 100_000));
    expect(await refusalOf(readForm(cut, bounds))).toBe("form-broken");
    const whole = body(photo, end);
    const huge = source(whole, multipart, 777, { "content-length": "104857601" });
    expect(await refusalOf(readForm(huge, bounds))).toBe("picture-too-heavy");
    expect(await leftovers()).toEqual([]);
  });
});

describe("a form that does not arrive whole is refused and leaves nothing", () => {
  const photo = file("image", "a.jpg", Buffer.alloc(50_000, 1));
  const cases: Record<string, [RefusalCode, FormRequest]> = {
    "no content type": ["form-broken", Object.assign(source(body(end)), { headers: {} })],
    "no boundary": ["form-broken", source(body(photo, end), "multipart/form-data")],
    "a boundary that never comes": ["form-broken", source(body(photo, end), `${multipart}X`)],
    "a boundary of 1,000 characters": [
      "form-broken",
      source(body(photo, end), `multipart/form-data; boundary=${"x".repeat(1000)}`),
    ],
    "JSON instead of a form": ["form-broken", source(Buffer.from("{}"), "application/json")],
    "no body": [
      "form-broken",
      new Request("http://localhost/", { method: "POST", headers: { "content-type": multipart } }),
    ],
    "an empty body": ["form-broken", source(Buffer.alloc(0))],
    "cut in the middle of the image": ["form-broken", source(photo.subarray(0, 20_000))],
    "cut in the middle of a field": [
      "form-broken",
      source(Buffer.from(field("a", "b").slice(0, -3))),
    ],
    "cut in the middle of a header": ["form-broken", source(photo.subarray(0, 70))],
    "cut before the last boundary": ["form-broken", source(body(field("a", "b"), photo))],
    "two images in one field": ["form-broken", source(body(photo, photo, end))],
    "two images": ["form-broken", source(body(photo, file("other", "b.jpg", "1"), end))],
    "an image in no field": [
      "form-broken",
      source(
        body(`--${boundary}\r\nContent-Disposition: form-data; filename="a.jpg"\r\n\r\nx\r\n`, end),
      ),
    ],
    "a value of more than 1 MB": [
      "too-large",
      source(body(field("caption", "x".repeat(1024 * 1024 + 1)), photo, end), multipart, 65_536),
    ],
    "a name of more than 100 characters": [
      "too-large",
      source(body(field("n".repeat(101), "x"), photo, end)),
    ],
    "more than 60 fields": [
      "too-large",
      source(body(...Array.from({ length: 61 }, (_, n) => field(`f${n}`, "x")), photo, end)),
    ],
    "more than 110 parts, with and without names": [
      "too-large",
      source(body(`--${boundary}\r\n\r\n\r\n`.repeat(111), field("a", "b"), end)),
    ],
    "many long values": [
      "too-large",
      source(
        body(...Array.from({ length: 5 }, (_, n) => field(`f${n}`, "x".repeat(600_000))), end),
        multipart,
        65_536,
      ),
    ],
    "an urlencoded value of more than 1 MB": [
      "too-large",
      source(
        Buffer.from(`a=${"x".repeat(1024 * 1024 + 1)}`),
        "application/x-www-form-urlencoded",
        65_536,
      ),
    ],
    "more announced than may be sent": [
      "picture-too-heavy",
      source(body(photo, end), multipart, 777, { "content-length": "104857600" }),
    ],
  };
  test.each(Object.entries(cases))("%s", async (_name, [code, form]) => {
    expect(await refusalOf(readForm(form))).toBe(code);
    expect(await leftovers()).toEqual([]);
  });

  test("a web stream that breaks off", async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (controller.desiredSize !== null) controller.enqueue(photo.subarray(0, 1000));
        controller.error(new Error("gone"));
      },
    });
    const init: RequestInit & { duplex: "half" } = {
      method: "POST",
      headers: { "content-type": multipart },
      body: stream,
      duplex: "half",
    };
    const sent = new Request("http://localhost/", init);
    expect(await refusalOf(readForm(sent))).toBe("form-broken");
    expect(await leftovers()).toEqual([]);
  });

  test("a sender that falls silent is given up", async () => {
    const silent = new Readable({ read: () => undefined });
    silent.push(photo.subarray(0, 1000));
    const form = Object.assign(silent, { headers: { "content-type": multipart } });
    expect(await refusalOf(readForm(form, { idleMs: 50 }))).toBe("form-broken");
    expect(await leftovers()).toEqual([]);
    silent.destroy();
  });
});

describe("a form that needs no file", () => {
  test("skips files, makes no folder and writes nothing", async () => {
    const photo = file("image", "a.jpg", Buffer.alloc(300_000, 1));
    const form = await none(source(body(field("wish", "like"), photo, field("postId", "1"), end)));
    expect(form.fields).toEqual({ wish: "like", postId: "1" });
    expect(form.files).toEqual({});
    expect(form.file("image")).toBeNull();
    await expect(readdir(tmpDir)).rejects.toMatchObject({ code: "ENOENT" });
    await form.cleanup();
  });

  test("is refused where it is longer than any, for people too", async () => {
    const photo = file("image", "a.jpg", Buffer.alloc(9 * 1024 * 1024));
    const bytes = body(photo, end);
    expect(await refusalOf(none(source(bytes, multipart, 65_536), { readPast: true }))).toBe(
      "too-large",
    );
    const announced = source(bytes, multipart, 65_536, { "content-length": String(bytes.length) });
    expect(await refusalOf(none(announced))).toBe("too-large");
    await expect(readdir(tmpDir)).rejects.toMatchObject({ code: "ENOENT" });
  });
});

describe("a system without another open file", () => {
  const bytes = body(file("image", "a.jpg", "bytes"), field("caption", "Typed behind it"), end);
  afterEach(() => vi.restoreAllMocks());

  test.each(["EMFILE", "ENFILE"])("is our fault, not the form's (%s)", async (code) => {
    const open = ((...given: unknown[]) => {
      const done = given.at(-1) as (error: Error) => void;
      setImmediate(() => done(Object.assign(new Error(`${code}: too many open files`), { code })));
    }) as unknown as typeof fs.open;
    vi.spyOn(fs, "open").mockImplementation(open);
    await expect(readForm(source(bytes))).rejects.toMatchObject({
      code: "busy",
      status: 503,
      retryAfter: 5,
      message: expect.stringContaining("too many files open"),
    });
    // People who fill in a page get their words back.
    const form = await readForm(source(bytes), { readPast: true });
    expect(form.fields).toEqual({ caption: "Typed behind it" });
    expect(() => form.file("image")).toThrow("too many files open");
    vi.restoreAllMocks();
    expect(await leftovers()).toEqual([]);
  });
});

describe("a file for which there is no room", () => {
  const most = limits.uploads.reserve;
  const photo = file("image", "a.jpg", Buffer.alloc(20 * 1024 * 1024, 1));
  const bytes = body(field("clientKey", "k"), photo, field("caption", "Typed behind it"), end);
  const sent = (more = {}) => source(bytes, multipart, 65_536, more);
  const length = { "content-length": String(bytes.length) };
  const one = { maxFiles: 1 };

  test("is refused before it is read, where its length is known", async () => {
    const disk = onDisk(most + bytes.length - 1);
    expect(await refusalOf(readAny(sent(length), disk, one))).toBe("disk-full");
    expect(await leftovers()).toEqual([]);
    const enough = await readAny(sent(length), onDisk(most + bytes.length, most), one);
    expect(enough.file("image")).not.toBeNull();
    await enough.cleanup();
  });

  test("is refused while it is written, where the disk fills up meanwhile", async () => {
    expect(await refusalOf(readAny(sent(), onDisk(most, most - 1), one))).toBe("disk-full");
    expect(await leftovers()).toEqual([]);
  });

  test.each([[[most - 1]], [[most, most - 1]]])(
    "loses none of the words beside it (free: %j)",
    async (free) => {
      const form = await readAny(sent(), onDisk(...free), { ...one, readPast: true });
      expect(form.fields).toEqual({ clientKey: "k", caption: "Typed behind it" });
      expect(await refusalOf((async () => form.file("image"))())).toBe("disk-full");
      expect(await leftovers()).toEqual([]);
    },
  );

  test("counts what others have announced and not sent yet", async () => {
    const disk = createUploads({ folder: tmpDir, freeBytes: async () => most + 100 });
    const asked = { lane: "archives", announced: 60 } as const;
    const first = await disk.admit({ ...asked, from: "ada" });
    expect(await refusalOf(disk.admit({ ...asked, from: "bo" }))).toBe("disk-full");
    await first.wrote(30);
    const second = await disk.admit({ ...asked, from: "bo" });
    first.end();
    second.end();
    second.end();
    (await disk.admit({ ...asked, announced: 100, from: "bo" })).end();
  });
});

describe("files that arrive at the same time", () => {
  test("are bounded for one sender and for all, and a refused one is not read", async () => {
    const lane = "archives";
    const { ofOne, ofAll } = limits.uploads.atOnce[lane];
    const admitted = [];
    for (let nth = 0; nth < ofOne; nth += 1) {
      admitted.push(await uploads.admit({ lane, from: "ada", announced: null }));
    }
    let read = 0;
    const pieces = function* () {
      for (;;) {
        read += 1;
        yield Buffer.alloc(65_536);
      }
    };
    const endless = Readable.from(pieces(), { objectMode: false });
    const form = Object.assign(endless, { headers: { "content-type": multipart } });
    const bounds = { lane, from: "ada", maxFiles: 1, fileBytes: 4 * 1024 ** 3 } as const;
    expect(await refusalOf(readAny(form, uploads, bounds))).toBe("uploads-running");
    endless.destroy();
    // what a stream buffers, and what the sender may go on sending before its connection is closed
    expect(read).toBeLessThan(2000);
    expect(await leftovers()).toEqual([]);

    for (let nth = ofOne; nth < ofAll; nth += 1) {
      admitted.push(await uploads.admit({ lane, from: `other ${nth}`, announced: null }));
    }
    const late = { lane, from: "late", announced: null } as const;
    expect(await refusalOf(uploads.admit(late))).toBe("uploads-full");
    // images do not wait for archives
    (await uploads.admit({ ...late, lane: "pictures" })).end();
    for (const each of admitted) each.end();
    (await uploads.admit(late)).end();
  });

  test("count no more once they arrived, broke off or were refused", async () => {
    const bounds = { lane: "archives", from: "ada", maxFiles: 1, fileBytes: 5000 } as const;
    const whole = () => source(body(file("image", "a.jpg", "small"), end));
    await (await readAny(whole(), uploads, bounds)).cleanup();
    const cut = source(file("image", "a.jpg", Buffer.alloc(2000)));
    expect(await refusalOf(readAny(cut, uploads, bounds))).toBe("form-broken");
    expect(await refusalOf(readAny(ofSize(5001), uploads, bounds))).toBe("picture-too-heavy");
    const again = await readAny(whole(), uploads, bounds);
    expect(again.file("image")).not.toBeNull();
    await again.cleanup();
  });
});

describe("over HTTP", () => {
  let server: Server;
  let outcomes: string[];
  let port: number;
  beforeEach(async () => {
    outcomes = [];
    server = createServer((incoming, answer) => {
      // both kinds of request that the product has
      const form = incoming.url === "/screen" ? createRequest(incoming, answer) : incoming;
      void refusalOf(readForm(form)).then((code) => {
        outcomes.push(code);
        return answer.end(code);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  test.each(["/program", "/screen"])(
    "an image of 26 MB is refused in words, not with a broken connection (%s)",
    async (path) => {
      const bytes = body(file("image", "a.jpg", Buffer.alloc(26 * 1024 * 1024)), end);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { "content-type": multipart },
        body: new Uint8Array(bytes),
      });
      expect(await answer.text()).toBe("picture-too-heavy");
      expect(await leftovers()).toEqual([]);
    },
  );

  test.each(["/program", "/screen"])("an upload broken off leaves no file (%s)", async (path) => {
    const headers = { "content-type": multipart };
    const sending = request({ port, path, method: "POST", headers });
    sending.on("error", () => undefined);
    sending.write(file("image", "a.jpg", Buffer.alloc(200_000)).subarray(0, 150_000));
    while ((await leftovers()).length === 0) await wait(5);
    sending.destroy();
    while (outcomes.length === 0) await wait(5);
    expect(outcomes).toEqual(["form-broken"]);
    expect(await leftovers()).toEqual([]);
  });
});
