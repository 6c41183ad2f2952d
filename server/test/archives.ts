import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { expect } from "vitest";
import { fromBufferPromise } from "yauzl";
import { ZipFile } from "yazl";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import type { ImportView } from "#shared/archive.ts";
import type { Viewer } from "#shared/views.ts";

/** What a test of archives begins with: a database, the features on it, and what makes and reads archives. */
export async function archiveTest(settings: Parameters<typeof testFeatures>[1] = {}) {
  const { db } = await freshDatabase();
  const on = testFeatures(db, settings);
  return { db, on, archives: archivesOf(on) };
}

type Files = Record<string, string | Buffer>;

/** Makes archives, imports and exports them, and runs the jobs for that. */
export function archivesOf(on: TestFeatures) {
  let names = 0;

  /** A file as the form parser provides it; the import removes it. */
  async function uploaded(bytes: Buffer): Promise<{ path: string }> {
    const path = join(on.folder, `upload-${(names += 1)}`);
    await writeFile(path, bytes);
    return { path };
  }

  async function imported(viewer: Viewer, archive: Buffer): Promise<ImportView> {
    await on.imports.start(viewer, await uploaded(archive));
    expect((await on.jobs.runDue()).failed).toEqual([]);
    const latest = await on.imports.latest(viewer);
    if (!latest) throw new Error("there is no import");
    return latest;
  }

  async function exported(viewer: Viewer): Promise<Buffer> {
    const { id } = await on.exports.start(viewer);
    expect((await on.jobs.runDue()).failed).toEqual([]);
    return buffer((await on.exports.find(viewer, id)).file.read());
  }

  /** A zip of these files, as anybody could write it. */
  async function zipOf(files: Files, each: (zip: ZipFile) => void = () => {}): Promise<Buffer> {
    const zip = new ZipFile();
    for (const [name, content] of Object.entries(files)) {
      zip.addBuffer(Buffer.from(content), name, { mtime: new Date(0) });
    }
    each(zip);
    zip.end();
    const path = join(on.folder, `made-${(names += 1)}.zip`);
    await pipeline(zip.outputStream, createWriteStream(path));
    return readFile(path);
  }

  return { uploaded, imported, exported, zipOf };
}

export type Archives = ReturnType<typeof archivesOf>;

/** Every file of an archive, by name. */
export async function contentsOf(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(archive);
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

/** The files of an archive in the export format, some of them replaced by `others`. */
export function archiveFiles(posts: object[], others: Files = {}): Files {
  return {
    "postcard.json": JSON.stringify({
      format: "postcard-archive",
      version: 1,
      files: { profile: "profile.json", posts: ["posts/0001.json"] },
    }),
    "profile.json": "{}",
    "posts/0001.json": JSON.stringify({ posts }),
    ...others,
  };
}
