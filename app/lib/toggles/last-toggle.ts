type Options<Wanted, Answer> = {
  /** the value on the server */
  saved: Wanted;
  /** Saves one value; resolves with the server's answer, rejects when it was not saved. */
  save: (value: Wanted) => Promise<Answer>;
  /** The newest value is saved and no save is running any more. */
  onSettled: (value: Wanted, answer: Answer) => void;
  /** The newest value could not be saved: `saved` is the one on the server. */
  onFailed: (saved: Wanted, error: unknown) => void;
};

/**
 * Collapses rapid toggles into the last one: one save runs at a time, and when it ends, only the newest
 * value is sent, if the server does not have it already.
 */
export function createLastToggle<Wanted, Answer>(options: Options<Wanted, Answer>) {
  let { saved } = options;
  let wanted = saved;
  let running = false;

  async function run(): Promise<void> {
    running = true;
    try {
      let answer: Answer | undefined;
      while (wanted !== saved) {
        const value = wanted;
        answer = await options.save(value);
        saved = value;
      }
      running = false;
      if (answer !== undefined) options.onSettled(saved, answer);
    } catch (error) {
      running = false;
      wanted = saved;
      options.onFailed(saved, error);
    }
  }

  return {
    set(next: Wanted): void {
      wanted = next;
      if (!running) void run();
    },
  };
}
