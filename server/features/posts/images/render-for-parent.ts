import type { Job, Renderers, DecoderMessage } from "#server/features/posts/images/decoder.ts";
import { isRefusal, type RefusalCode } from "#shared/errors.ts";

/** How often a process checks what it used, milliseconds. */
const lookMs = 50;

/**
 * Renders what the parent process asks for, and ends the process at an image's budget: libvips works on
 * other threads and cannot be stopped, while this one can watch the clock. Uses a kill, since an ordinary
 * exit would wait for those threads. The process ends with its parent and ignores other signals, so images
 * are finished when the server stops.
 */
export function renderForParent(renderers: Promise<Renderers>): void {
  renderers.catch(() => undefined);
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => undefined);
  process.on("disconnect", die);
  process.on("message", (job: Job) => void answer(renderers, job));
}

async function answer(renderers: Promise<Renderers>, job: Job): Promise<void> {
  const { name, path, options, budget } = job;
  const deadline = performance.now() + msLeftOf(job);
  const before = process.cpuUsage();
  const used = () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (user + system) / 1e6, memory: process.memoryUsage.rss() };
  };
  const checkBudget = () => {
    const { seconds, memory } = used();
    if (seconds > budget.processorSeconds || memory > budget.memory) die();
  };
  const watch = setInterval(checkBudget, lookMs);
  try {
    const render = (await renderers)[name] as (...values: unknown[]) => Promise<unknown>;
    const turn = { deadline, charge: (pixels: number) => say({ charge: pixels }) };
    const done = await render(path, turn, options);
    // A small image may be done before the first look.
    checkBudget();
    say({ done, ...used() });
  } catch (error) {
    say({ ...(isRefusal(error) ? { refused: plain(error) } : { failed: error }), ...used() });
  } finally {
    clearInterval(watch);
  }
}

/**
 * The release before says until when, in epoch milliseconds, where it starts this file while servers are
 * replaced. Goes with the next release.
 */
function msLeftOf({ msLeft, deadline }: Partial<Job> & { deadline?: number }): number {
  return msLeft ?? (deadline ?? 0) - Date.now();
}

const plain = ({ code, message }: { code: RefusalCode; message: string }) => ({ code, message });

/** The parent may be gone by now, which `disconnect` reports. */
const say = (said: DecoderMessage) => process.send?.(said, undefined, undefined, () => undefined);

function die(): void {
  process.kill(process.pid, "SIGKILL");
}
