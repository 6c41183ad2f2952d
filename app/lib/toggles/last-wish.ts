type Options<Wish, Answer> = {
  /** what the server holds now */
  saved: Wish;
  /** Saves one wish; resolves with the server's answer, rejects when it was not saved. */
  save: (wish: Wish) => Promise<Answer>;
  /** The newest wish is saved and nothing is under way any more. */
  onSettled: (wish: Wish, answer: Answer) => void;
  /** The newest wish could not be saved: `saved` is what still holds. */
  onFailed: (saved: Wish, error: unknown) => void;
};

/**
 * Collapses rapid toggles into the last one: one save runs at a time, and when it ends, only the
 * newest wish is sent, if the server does not hold it already.
 */
export function createLastWish<Wish, Answer>(options: Options<Wish, Answer>) {
  let { saved } = options;
  let wanted = saved;
  let running = false;

  async function run(): Promise<void> {
    running = true;
    try {
      let answer: Answer | undefined;
      while (wanted !== saved) {
        const wish = wanted;
        answer = await options.save(wish);
        saved = wish;
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
    wish(next: Wish): void {
      wanted = next;
      if (!running) void run();
    },
  };
}
