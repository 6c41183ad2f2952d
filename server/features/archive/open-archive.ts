import { Worker, type ResourceLimits } from "node:worker_threads";
import type { Answers, Question, Reading, Reply } from "#server/features/archive/archive-thread.ts";
import type { ImageFile } from "#server/features/archive/prepare.ts";
import { compileCacheAlone } from "#server/platform/compile-cache.ts";
import { withTemporaryFile } from "#server/platform/temporary-file.ts";
import { refuse } from "#shared/errors.ts";

/** Megabytes. The texts of one file, parsed, take a third of it; 200,000 names a quarter. */
const threadMemory = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Unpacks an image of an archive into a file of its own, and works with it. */
export type ArchiveImages = {
  withImage: <T>(image: ImageFile, work: (path: string) => Promise<T>) => Promise<T>;
};

/**
 * An archive that a worker thread reads (archive-thread.ts), one question at a time. Refuses with
 * archive-invalid an archive that is not in the format, or that needs more memory than any honest one. Close
 * it afterwards; an aborted `signal` closes it, too.
 */
export function openArchive(
  reading: Reading,
  tmpDir: string,
  signal: AbortSignal,
  resourceLimits: ResourceLimits = threadMemory,
) {
  const { ask, close } = startThread(reading, signal, resourceLimits);

  const withImage: ArchiveImages["withImage"] = ({ file, sha256 }, work) =>
    withTemporaryFile(tmpDir, "import", async (path) => {
      await ask({ ask: "picture", file, sha256, path });
      return work(path);
    });

  return {
    /** Reads every text once before anything is imported; returns what there is. */
    check: () => ask({ ask: "check" }),
    profile: () => ask({ ask: "profile" }),
    albums: () => ask({ ask: "albums" }),
    /** The next ones, prepared; null after the last. */
    posts: () => ask({ ask: "posts" }),
    messages: () => ask({ ask: "messages" }),
    withImage,
    close,
  };
}

export type OpenArchive = ReturnType<typeof openArchive>;

function startThread(reading: Reading, signal: AbortSignal, resourceLimits: ResourceLimits) {
  const worker = new Worker(new URL("./archive-thread.ts", import.meta.url), {
    name: "archive",
    workerData: reading,
    resourceLimits,
    // it reads a stranger's file and needs none of our settings
    env: compileCacheAlone(),
    execArgv: [],
  });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  worker.on("error", (error) => ended.reject(reasonOf(error as Error)));
  worker.on("messageerror", (error) => ended.reject(error));
  worker.on("exit", () => ended.reject(new Error("The thread of an archive ended.")));
  const onAbort = () => {
    ended.reject(signal.reason);
    void worker.terminate();
  };
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort);

  async function ask<Asked extends keyof Answers>(question: Question & { ask: Asked }) {
    const said = Promise.withResolvers<Reply>();
    worker.once("message", said.resolve);
    try {
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
      worker.postMessage(question);
      const answer = await Promise.race([said.promise, ended.promise]);
      if ("failed" in answer) throw answer.failed;
      if ("refused" in answer) {
        const { code, message } = answer.refused;
        throw refuse(code, { message });
      }
      return answer.value as Answers[Asked];
    } finally {
      worker.off("message", said.resolve);
    }
  }

  async function close(): Promise<void> {
    signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }

  return { ask, close };
}

function reasonOf(error: Error & { code?: string }): Error {
  if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") return error;
  const message = "This archive is too large to read at once.";
  return refuse("archive-invalid", { message, cause: error });
}
