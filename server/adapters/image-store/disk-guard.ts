import type { Logger } from "pino";
import { refuse } from "#shared/errors.ts";

/** Checks and reads; and calls that write or remove, which may take a while on a healthy disk. */
type Kind = "quick" | "slow";

/**
 * Calls of this process on the disk at once. Each holds one of the four threads that Node has for files, names
 * and compression, and keeps it while the disk does not answer: one has to be left for everything else.
 */
const atOnce: Record<Kind, number> = { quick: 2, slow: 1 };
/** Milliseconds: a sleeping disk needs ten seconds to wake up. */
const longest: Record<Kind, number> = { quick: 10_000, slow: 30_000 };
/** How often a disk that did not answer is tried again, milliseconds. */
const tryAgainMs = 5000;

export type DiskGuard = {
  /**
   * Waits for a call on the images' disk, for its turn and its answer together as long as `longest` says, and
   * then refuses with picture-host-away; it refuses at once while an earlier call has no answer. `late` gets
   * results that nobody waits for any more.
   */
  run: <T>(kind: Kind, call: () => Promise<T>, late?: (value: T) => void) => Promise<T>;
  /** Whether a call has had no answer for too long. */
  isAway: () => boolean;
};

/**
 * For disks that no request waits for: those of commands, and files beside images that are stored elsewhere.
 */
export const unguarded: DiskGuard = { run: (_kind, call) => call(), isAway: () => false };

type Lane = { running: number; waiting: Set<() => void>; isAway: boolean; tryAt: number };

const lane = (): Lane => ({ running: 0, waiting: new Set(), isAway: false, tryAt: 0 });

/**
 * A network disk may stop answering, and then no call returns. Limits how many calls wait for it: a call that
 * takes too long is abandoned, later ones are refused at once, and the first answer, of an old call or of a
 * retry, ends that.
 */
export function createDiskGuard({
  log,
  patienceMs = longest,
  againMs = tryAgainMs,
}: {
  log: Pick<Logger, "warn">;
  patienceMs?: Record<Kind, number>;
  againMs?: number;
}): DiskGuard {
  const lanes: Record<Kind, Lane> = { quick: lane(), slow: lane() };

  /** One retry now and then, while there is room for another call that hangs. */
  function isTry(kind: Kind): boolean {
    const own = lanes[kind];
    if (own.running >= atOnce[kind] || performance.now() < own.tryAt) return false;
    own.tryAt = performance.now() + againMs;
    return true;
  }

  function fall(kind: Kind): void {
    const own = lanes[kind];
    if (!own.isAway)
      log.warn({ kind, calls: own.running }, "the disk of the pictures does not answer");
    own.isAway = true;
    own.tryAt = performance.now() + againMs;
  }

  function rise(own: Lane): void {
    if (own.isAway) log.warn({}, "the disk of the pictures answers again");
    own.isAway = false;
    const [next] = own.waiting;
    next?.();
  }

  return {
    run: (kind, call, late) => {
      const own = lanes[kind];
      if (own.isAway && !isTry(kind)) return Promise.reject(imageDiskAway());
      const turn = {
        most: atOnce[kind],
        patienceMs: patienceMs[kind],
        onSilence: () => fall(kind),
        onEnd: () => rise(own),
      };
      return inTurn(own, turn, call, late);
    },
    isAway: () => lanes.quick.isAway || lanes.slow.isAway,
  };
}

type Turn = {
  /** calls at once */
  most: number;
  /** for the turn and the answer together */
  patienceMs: number;
  /** it had its turn, and nobody waits for its answer any more */
  onSilence: () => void;
  onEnd: () => void;
};

function inTurn<T>(
  own: Lane,
  { most, patienceMs, onSilence, onEnd }: Turn,
  call: () => Promise<T>,
  late?: (value: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isWaiting = true;
    const giveUp = () => {
      isWaiting = false;
      clearTimeout(timer);
      const hadNoTurn = own.waiting.delete(begin);
      if (!hadNoTurn) onSilence();
      reject(imageDiskAway());
    };
    const begin = () => {
      own.waiting.delete(begin);
      own.running += 1;
      void call()
        .then(
          (value) => (isWaiting ? resolve(value) : late?.(value)),
          (error: unknown) => isWaiting && reject(ofNetwork(error) ?? (error as Error)),
        )
        .finally(() => {
          clearTimeout(timer);
          isWaiting = false;
          own.running -= 1;
          onEnd();
        });
    };
    const timer = setTimeout(giveUp, patienceMs);
    if (own.running < most) begin();
    else own.waiting.add(begin);
  });
}

/** Error codes of network disks that were cut off or remounted; null for faults of the disk itself. */
function ofNetwork(error: unknown): Error | null {
  const { code = "" } = error as NodeJS.ErrnoException;
  const codes = ["ENOTCONN", "ECONNABORTED", "ESTALE", "ETIMEDOUT", "EHOSTDOWN", "EHOSTUNREACH"];
  return codes.includes(code) ? imageDiskAway(error) : null;
}

export const imageDiskAway = (cause?: unknown) =>
  refuse("picture-host-away", {
    cause,
    message:
      "We can't save or show pictures right now because their disk isn't responding. Please try again soon.",
    retryAfter: 10,
  });
