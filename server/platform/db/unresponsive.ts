/**
 * Time is counted in checks, so that a process that was itself busy does not call a database silent,
 * milliseconds.
 */
const lookMs = 100;
/** How often a silent database is tried again, milliseconds. */
const againMs = 1000;

type Options = {
  /** milliseconds without an answer to anything until the database counts as silent */
  silence: number;
  /**
   * Tries to reach it with a new connection; resolves with whether anything answered, whatever that was.
   * Never rejects.
   */
  reach: () => Promise<boolean>;
  onSilent: () => void;
  onBack: () => void;
};

/**
 * Detects that a database no longer responds: for some time it has answered nothing it was asked, and half
 * of that time was not enough for one more connection either. So a busy database, or one where everybody
 * waits for a lock, is never called silent. It is back once it answers a new connection.
 */
export function watchForSilence({ silence, reach, onSilent, onBack }: Options) {
  const most = Math.round(silence / lookMs);
  /** questions without an answer, including connections that are being made */
  let open = 0;
  /** checks since anything was received */
  let looks = 0;
  let silent = false;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;

  function asked(): void {
    open += 1;
    // Nothing was waiting before: only from now on could an answer have come.
    if (open === 1 && !silent) looks = 0;
    if (!ended) timer ??= setInterval(look, lookMs).unref();
  }

  /** `heard`: the database responded, even if only with an error. */
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
