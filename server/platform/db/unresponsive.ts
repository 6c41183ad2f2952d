/** Time is counted in looks, so that a process that was busy itself does not call others silent, milliseconds. */
const lookMs = 100;
/** While it is silent it is tried anew this often, milliseconds. */
const againMs = 1000;

type Options = {
  /** milliseconds without an answer to anything until the database counts as silent */
  silence: number;
  /** Tries to reach it in a new way; resolves with whether anybody answered, whatever that was. Never rejects. */
  reach: () => Promise<boolean>;
  onSilent: () => void;
  onBack: () => void;
};

/**
 * Finds out that a database says nothing any more: of all that it was asked nothing was answered for some time,
 * and half of that time was not enough to make one more connection either. So one that is busy, or where everybody
 * waits for a lock, is never called silent. It is back once somebody answers a new connection.
 */
export function watchForSilence({ silence, reach, onSilent, onBack }: Options) {
  const most = Math.round(silence / lookMs);
  /** questions without an answer, connections that are being made among them */
  let open = 0;
  /** looks since anything was heard */
  let looks = 0;
  let silent = false;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  function asked(): void {
    open += 1;
    // Nobody waited before: from now on it could be heard.
    if (open === 1 && !silent) looks = 0;
    if (!ended) timer ??= setInterval(look, lookMs).unref();
  }

  /** `heard`: somebody said something, and be it that it failed. */
  function answered(heard: boolean): void {
    open -= 1;
    if (heard && !silent) looks = 0;
  }

  function look(): void {
    if (!silent && open === 0) return stop();
    looks += 1;
    if (silent) {
      if (looks % Math.round(againMs / lookMs) === 0) void tryAnew();
    } else if (looks === Math.ceil(most / 2)) void tryAnew();
    else if (looks >= most) {
      silent = true;
      looks = 0;
      onSilent();
    }
  }

  async function tryAnew(): Promise<void> {
    if (!(await reach()) || ended) return;
    looks = 0;
    if (!silent) return;
    silent = false;
    onBack();
  }

  function stop(): void {
    clearInterval(timer);
    timer = undefined;
  }

  return {
    asked,
    answered,
    isSilent: () => silent,
    end: () => {
      ended = true;
      stop();
    },
  };
}
