/**
 * Listens for the wish to stop, from the first moment on: SIGTERM, SIGINT, SIGHUP, and the end of
 * the npm that started us. `handle` says who answers it from now on; there is always one.
 */
export function listenForStop(first) {
  let answer = first;
  let asked = null;
  const ask = (signal) => {
    asked ??= signal;
    answer(signal);
  };
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => ask(signal));

  // A shell between npm and us may keep the signal to itself and just die.
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && ask("SIGTERM"), 1000).unref();
  }
  return {
    handle: (next) => {
      answer = next;
      if (asked) next(asked);
    },
  };
}
