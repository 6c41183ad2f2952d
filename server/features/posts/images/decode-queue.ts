import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";

/** What an image's work gets for its turn. */
export type Turn = {
  /** by which the work must be done, on the clock of `performance.now()`: the one on the wall may be set */
  deadline: number;
  /** Counts work that begins now for its sender, in pixels. It counts whether it succeeds or not. */
  charge: (pixels: number) => void;
};

type Bounds = {
  /** images decoded at once, over the whole process */
  atOnce: number;
  /** of one sender */
  atOnceEach: number;
  /** images that may wait; each holds a file of at most 25 MB on disk, none in memory */
  mostWaiting: number;
  /** how long an image may wait for its turn, and how long its turn may take, milliseconds */
  patienceMs: { waiting: number; decoding: number };
};

type Waiting = { begin: () => void; giveUp: () => void };
type Sender = {
  /** pixels counted for it, starting from where the others were when it arrived: the lowest is next */
  charged: number;
  running: number;
  waiting: Waiting[];
  /** its last image took so much that it leaves room for others */
  heavy: boolean;
};

/** What every image counts for, however small: reading a file and its header is work, too. */
const leastPixels = 1_000_000;
/** Pixels of an image that took far more than ordinary ones: some twelve seconds of a processor. */
const heavyPixels = 300_000_000;
/** Senders without an image here who are remembered, so that leaving and returning resets nothing. */
const mostRemembered = 500;

/**
 * A queue that shares the decoder among senders by pixels (start-time fair queueing). The next turn goes to
 * the sender for whom the fewest pixels were processed; nobody holds more than a share of the slots. So a
 * sender who uploads the worst files at full speed delays only their own; and senders whose last image was
 * of that kind leave one slot to everybody else (decision 0226).
 */
export function createDecodeQueue({ atOnce, atOnceEach, mostWaiting, patienceMs }: Bounds) {
  const senders = new Map<string, Sender>();
  let running = 0;
  let waiting = 0;
  /** what was counted for the sender whose turn began last, before that turn */
  let reached = 0;

  /** New senders begin where the others are: time away earns nothing. */
  function join(key: string): Sender {
    const sender = senders.get(key) ?? {
      charged: reached,
      running: 0,
      waiting: [],
      heavy: false,
    };
    if (!isBusy(sender)) sender.charged = Math.max(sender.charged, reached);
    senders.set(key, sender);
    return sender;
  }

  function beginTurns(): void {
    while (running < atOnce) {
      const sender = nextOf([...senders.values()], { atOnce, atOnceEach });
      if (!sender) return;
      const first = sender.waiting.shift();
      waiting -= 1;
      running += 1;
      sender.running += 1;
      reached = Math.max(reached, sender.charged);
      sender.charged += leastPixels;
      first?.begin();
    }
  }

  function endTurn(key: string, sender: Sender, pixels: number): void {
    running -= 1;
    sender.running -= 1;
    sender.heavy = pixels > heavyPixels;
    // Among equals, the sender with the latest turn comes last.
    senders.delete(key);
    senders.set(key, sender);
    beginTurns();
    for (const [other, each] of senders) {
      const square = !each.heavy && (each.charged <= reached || running === 0);
      if ((square || senders.size > mostRemembered) && !isBusy(each)) senders.delete(other);
    }
  }

  /** Resolves when the turn begins. */
  function wait(sender: Sender): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      clearTimeout(timer);
      sender.waiting.splice(sender.waiting.indexOf(one), 1);
      waiting -= 1;
      reject(refuse("picture-timeout", { retryAfter: 10 }));
    };
    const timer = setTimeout(giveUp, patienceMs.waiting).unref();
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    const one: Waiting = { begin, giveUp };
    sender.waiting.push(one);
    waiting += 1;
    beginTurns();
    if (waiting > mostWaiting) longestLine(sender, senders.values()).waiting.at(-1)?.giveUp();
    return promise;
  }

  /**
   * Runs `work` when it is the sender's turn. Throws refuse("picture-timeout") when it waited too long, or
   * when too many wait and most of them are this sender's.
   */
  async function run<T>(key: string, work: (turn: Turn) => Promise<T>): Promise<T> {
    const sender = join(key);
    await wait(sender);
    let charged = 0;
    const charge = (pixels: number) => {
      charged += pixels;
      sender.charged += pixels;
    };
    try {
      return await work({ deadline: performance.now() + patienceMs.decoding, charge });
    } finally {
      endTurn(key, sender, charged);
    }
  }

  return { run, count: () => ({ running, waiting }) };
}

const isBusy = (sender: Sender) => sender.running + sender.waiting.length > 0;

/** The sender with the fewest pixels counted, among those who wait and may have another slot. */
function nextOf(
  senders: readonly Sender[],
  { atOnce, atOnceEach }: Pick<Bounds, "atOnce" | "atOnceEach">,
): Sender | null {
  const mostHeavy = Math.max(1, atOnce - 1);
  const heavy = senders.reduce((sum, sender) => sum + (sender.heavy ? sender.running : 0), 0);
  let least: Sender | null = null;
  for (const sender of senders) {
    const ownPlace = sender.running < atOnceEach && (!sender.heavy || heavy < mostHeavy);
    const mayBegin = sender.waiting.length > 0 && ownPlace;
    if (mayBegin && (!least || sender.charged < least.charged)) least = sender;
  }
  return least;
}

/** The sender with the most waiting, which gives way when there is no more room; `fallback` among equals. */
function longestLine(fallback: Sender, senders: Iterable<Sender>): Sender {
  let longest = fallback;
  for (const sender of senders) {
    if (sender.waiting.length > longest.waiting.length) longest = sender;
  }
  return longest;
}

/**
 * The one queue of the process. A sender has one of the two slots, so that somebody else's image never waits
 * for two of theirs (decision 0226). The clock ends a turn at ten times the processor time that an image may
 * take: on a busy machine an honest one needs that long.
 */
const queue = createDecodeQueue({
  atOnce: 2,
  atOnceEach: 1,
  mostWaiting: 40,
  patienceMs: { waiting: 60_000, decoding: 10 * 1000 * limits.decoding.processorSeconds },
});
export const inDecodeQueue = queue.run;
export const countDecodes = queue.count;
