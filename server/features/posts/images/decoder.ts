import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Turn } from "#server/features/posts/images/decode-queue.ts";
import type * as render from "#server/features/posts/images/render.ts";
import { compileCacheAlone } from "#server/platform/compile-cache.ts";
import { refuse, type RefusalCode } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/** What a decoder process does: each function takes a path, a turn and options. */
export type Renderers = Pick<
  typeof render,
  "renderImage" | "renderLarge" | "renderVariant" | "renderAvif"
>;
type Name = keyof Renderers;
type Options<N extends Name> = Parameters<Renderers[N]>[2];
type Rendered<N extends Name> = Awaited<ReturnType<Renderers[N]>>;

/** Limits of processor time, seconds, and of memory, bytes: the process ends itself at either. */
type Budget = { processorSeconds: number; memory: number };

export type Job = {
  name: Name;
  path: string;
  options: unknown;
  budget: Budget;
  /** for all of it: each process counts on a clock of its own */
  msLeft: number;
};

/** What the process answers; `seconds` of processor time, `memory` in bytes when it was done. */
export type DecoderMessage =
  | { charge: number }
  | ({ seconds: number; memory: number } & (
      { done: unknown } | { refused: { code: RefusalCode; message: string } } | { failed: unknown }
    ));

type Settings = Budget & {
  program: URL;
  /** what a second of processor time counts for at least, pixels: a photo of 12 megapixels takes one */
  pixelsASecond: number;
  /** images after which a process is ended, and the memory in which it may idle, bytes */
  mostImages: number;
  restingMemory: number;
  /** how long it idles before it is ended, milliseconds */
  restMs: number;
};

const settings: Settings = {
  ...limits.decoding,
  program: new URL("./decoder-process.ts", import.meta.url),
  pixelsASecond: 25_000_000,
  mostImages: 100,
  restingMemory: 256 * 1024 * 1024,
  restMs: 60_000,
};

/**
 * Decodes images from strangers in separate processes, since neither a timeout nor the end of a thread stops
 * libvips: a process that used up its processor time or memory ends itself, and one that is not done at the
 * deadline of its turn is killed. There are as many as images are decoded at once; each is started when
 * needed, reused for the next images, and ended when idle.
 */
export function createDecoder(changed: Partial<Settings> = {}) {
  const set = { ...settings, ...changed };
  const resting = new Map<ChildProcess, NodeJS.Timeout>();
  const rendered = new WeakMap<ChildProcess, number>();

  function start(): ChildProcess {
    const child = fork(fileURLToPath(set.program), [], {
      // It reads a stranger's file and needs none of our settings. Two heaps: see scripts/lib/supervise.mjs.
      env: { MALLOC_ARENA_MAX: "2", ...compileCacheAlone() },
      execArgv: ["--max-semi-space-size=2", "--max-old-space-size=256"],
      serialization: "advanced",
      // and what it prints about the file does not belong in the log
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    child.on("exit", () => wake(child)).on("error", () => undefined);
    return child;
  }

  function wake(child: ChildProcess): void {
    clearTimeout(resting.get(child));
    resting.delete(child);
    child.ref();
    child.channel?.ref();
  }

  function rest(child: ChildProcess, memory: number): void {
    const images = (rendered.get(child) ?? 0) + 1;
    rendered.set(child, images);
    if (images >= set.mostImages || memory > set.restingMemory) return end(child);
    const timer = setTimeout(() => end(child), set.restMs).unref();
    resting.set(child, timer);
    // An idle decoder does not keep the server process running.
    child.unref();
    child.channel?.unref();
  }

  function end(child: ChildProcess): void {
    resting.delete(child);
    child.kill("SIGKILL");
  }

  function next(): ChildProcess {
    for (const child of resting.keys()) {
      wake(child);
      if (child.connected) return child;
    }
    return start();
  }

  /**
   * Renders in a turn of the queue, and charges what it took. Throws what the renderer throws,
   * refuse("picture-too-complex") over its budget, refuse("picture-timeout") after the deadline of the turn,
   * and refuse("picture-unreadable") when the decoder crashed.
   */
  async function render<N extends Name>(
    name: N,
    path: string,
    { deadline, charge }: Turn,
    options: Options<N>,
  ): Promise<Rendered<N>> {
    const { processorSeconds, memory, pixelsASecond } = set;
    const child = next();
    let charged = 0;
    // A process that ended without an answer used up everything.
    let seconds = processorSeconds;
    try {
      const msLeft = deadline - performance.now();
      const job = { name, path, options, budget: { processorSeconds, memory }, msLeft };
      const said = await ask(child, job, (pixels) => {
        charged += pixels;
        charge(pixels);
      });
      ({ seconds } = said);
      rest(child, said.memory);
      if ("done" in said) return said.done as Rendered<N>;
      if ("refused" in said) throw refuse(said.refused.code, { message: said.refused.message });
      throw said.failed;
    } finally {
      charge(Math.max(0, seconds * pixelsASecond - charged));
    }
  }

  const count = () => resting.size;
  return { render, count };
}

type Answer = Exclude<DecoderMessage, { charge: number }>;

async function ask(
  child: ChildProcess,
  job: Job,
  charge: (pixels: number) => void,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const hear = (said: DecoderMessage) => ("charge" in said ? charge(said.charge) : resolve(said));
  let late = false;
  const lost = (code: number | null, signal: NodeJS.Signals | null) =>
    reject(late ? refuse("picture-timeout") : lostRefusal(code, signal));
  const clock = setTimeout(() => {
    late = true;
    child.kill("SIGKILL");
  }, job.msLeft);
  child.on("message", hear).once("exit", lost).once("error", reject);
  // Where it cannot be sent the process is gone, which is handled above.
  child.send(job, () => undefined);
  try {
    return await promise;
  } finally {
    clearTimeout(clock);
    child.off("message", hear).off("exit", lost).off("error", reject);
  }
}

/** It kills itself at its budget, as the system does when memory runs out; any other signal is a crash. */
function lostRefusal(code: number | null, signal: NodeJS.Signals | null): Error {
  if (signal === "SIGKILL") return refuse("picture-too-complex");
  if (signal !== null) return refuse("picture-unreadable", { cause: signal });
  return new Error(`The process of the decoder ended with ${code}.`);
}

/** The one decoder of the process, in the turns of its queue. */
export const renderInDecoder = createDecoder().render;
