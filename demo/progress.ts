export type Progress = {
  /** Starts the next part; the returned function is called after each of its `total` items. */
  begin: (part: string, total: number) => () => void;
};

/** How often a long part is reported in a log, milliseconds. */
const quietMs = 5000;
const redrawMs = 100;

/** Reports the progress: in one line of a terminal, in a line now and then elsewhere. */
export function createProgress(stream: NodeJS.WriteStream): Progress {
  return {
    begin: (part, total) => {
      let done = 0;
      const began = Date.now();
      let reported = began;
      return () => {
        done += 1;
        const now = Date.now();
        const finished = done === total;
        if (!finished && now - reported < (stream.isTTY ? redrawMs : quietMs)) return;
        reported = now;
        const left = ((now - began) / done) * (total - done);
        // The first few say little about the others.
        const guess = done > 5 ? `, about ${seconds(left)} left` : "";
        const rest = finished ? `, in ${seconds(now - began)}` : guess;
        const line = `${part}: ${done} of ${total}${rest}`;
        if (stream.isTTY) stream.write(`\r${line.padEnd(70)}${finished ? "\n" : ""}`);
        else stream.write(`${line}\n`);
      };
    },
  };
}

function seconds(milliseconds: number): string {
  const whole = Math.max(1, Math.round(milliseconds / 1000));
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
