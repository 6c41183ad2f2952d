/** Who is let in first when not everybody can be. */
export type Rank = "member" | "visitor";

type Waiter = { rank: Rank; since: number; admit: () => void; refuse: () => void };

/** So many requests may wait, however busy we are, before a crowd is suspected. No test or story has more. */
const modest = 64;
/** So many are served in the order they came, whatever queues behind them. */
const few = 4;
/** More than this never wait: each holds a connection and memory. */
const most = 1000;
/** Let in at once while there is no sign of a shortage. */
const usual = 4;
const mostSlots = 256;
/** The processor counts as busy from this share of a sample on. */
const busyFrom = 0.9;
/** How often we sample, and after how many samples the queue's length is compared, milliseconds. */
export const lookMs = 50;
const looksASample = 3;
/** So many samples in a row, each longer than the one before, are a crowd and not a burst. */
const growing = 3;
/** How long a request may wait: in a burst, and in a crowd, milliseconds. */
const patience = { burst: 20_000, crowd: 10 };
/** A crowd is over when no request had to be refused for this long, milliseconds. */
const calmAfter = 2000;
/**
 * A request that takes longer waits for something other than the processor, such as a slow body,
 * milliseconds.
 */
const holdsFor = 1000;

/**
 * Decides who is let in while there are more requests than the processor can serve. While it isn't busy:
 * everybody, at once. While it is: one after another, members first. A queue that is more than modest and
 * grows from sample to sample is a crowd. From then on nobody waits longer than a moment, the rest is refused
 * at once, and those who came last go first, so those let in are served as fast as ever. In a long queue,
 * those at the front would have waited for nothing.
 *
 * `look` has to be called every `lookMs` while `isIdle` is false. The caller passes in all times.
 */
export function createAdmission({
  now,
  later = setImmediate,
}: {
  now: () => number;
  /** Runs the rest of many refusals after other work that is due. */
  later?: (work: () => void) => unknown;
}) {
  const queues: Record<Rank, Waiter[]> = { member: [], visitor: [] };
  /** The requests let in, in this order, with the moment. */
  const inside = new Map<object, number>();
  let slots = usual;
  const crowd = createCrowdWatch(now);
  const refuseSoon = fewAtATime(later);

  const waiting = () => queues.member.length + queues.visitor.length;

  /** Resolves with a function to call when the request is over, or with null if it is refused. */
  function enter(rank: Rank, onGone?: (leave: () => void) => void): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const key = {};
      const leave = () => {
        if (inside.delete(key)) pump();
      };
      const waiter: Waiter = {
        rank,
        since: now(),
        admit: () => {
          inside.set(key, now());
          resolve(leave);
        },
        refuse: () => resolve(null),
      };
      queues[rank].push(waiter);
      onGone?.(() => {
        const position = queues[rank].indexOf(waiter);
        if (position >= 0) queues[rank].splice(position, 1);
        waiter.refuse();
        leave();
      });
      pump();
    });
  }

  function pump(): void {
    refuseLate();
    while (inside.size < slots) {
      const next = takeNext("member") ?? takeNext("visitor");
      if (!next) return;
      next.admit();
    }
  }

  function takeNext(rank: Rank): Waiter | undefined {
    const queue = queues[rank];
    return crowd.isHere() || crowd.isRising(waiting()) ? queue.pop() : queue.shift();
  }

  function refuseLate(): void {
    const latest = now() - (crowd.isHere() ? patience.crowd : patience.burst);
    for (const queue of [queues.visitor, queues.member]) {
      // Each queue is in order of arrival.
      const late = queue.findIndex(({ since }) => since > latest);
      refuse(queue.splice(0, late === -1 ? queue.length : late));
    }
    const excess = waiting() - most;
    if (excess > 0) {
      refuse(queues.visitor.splice(0, excess));
      refuse(queues.member.splice(0, Math.max(0, waiting() - most)));
    }
  }

  function refuse(waiters: Waiter[]): void {
    if (waiters.length === 0) return;
    crowd.refused();
    refuseSoon(waiters);
  }

  /** `utilization` is the share of the time since the last sample in which the processor was at work. */
  function look(utilization: number): void {
    for (const [key, since] of inside) {
      if (now() - since < holdsFor) break;
      inside.delete(key);
    }
    if (utilization >= busyFrom) slots = 1;
    else if (waiting() > 0) slots = Math.min(slots * 2, mostSlots);
    else slots = usual;
    crowd.look(waiting());
    pump();
  }

  return {
    enter,
    look,
    isIdle: () => waiting() === 0 && inside.size === 0 && !crowd.isHere(),
    isCrowd: crowd.isHere,
  };
}

/** Refuses a few at a time: a thousand answers at once would delay those who were let in. */
function fewAtATime(later: (work: () => void) => unknown): (waiters: readonly Waiter[]) => void {
  const refusing: Waiter[] = [];
  const refuseSome = () => {
    for (const waiter of refusing.splice(0, 32)) waiter.refuse();
    if (refusing.length > 0) later(refuseSome);
  };
  return (waiters) => {
    const first = refusing.length === 0;
    refusing.push(...waiters);
    if (first) refuseSome();
  };
}

/** Distinguishes a crowd from a burst by how the queue's length changes from sample to sample. */
function createCrowdWatch(now: () => number) {
  let here = false;
  let refusedAt = 0;
  let looks = 0;
  let samples: number[] = [];

  function isGrowing(): boolean {
    if (samples.length < growing || (samples.at(-1) ?? 0) <= modest) return false;
    return samples.every(
      (length, position) => position === 0 || length > (samples[position - 1] ?? 0),
    );
  }

  return {
    isHere: () => here,
    /** A crowd may be building up; clients that only send again when they are answered make no such queue. */
    isRising: (waiting: number) => waiting > few && waiting > (samples.at(-1) ?? 0),
    /** a request was refused at this moment */
    refused() {
      refusedAt = now();
    },
    look(waiting: number) {
      looks += 1;
      if (looks % looksASample === 0) samples = [...samples, waiting].slice(-growing);
      if (!here && isGrowing()) {
        here = true;
        refusedAt = now();
      } else if (here && now() - refusedAt > calmAfter) {
        here = false;
        samples = [];
      }
    },
  };
}
