/** Those who want to hear of something. */
export function createListeners<Told extends unknown[] = []>() {
  const all = new Set<(...told: Told) => void>();
  return {
    /** @returns the way to stop listening */
    on(listener: (...told: Told) => void): () => void {
      all.add(listener);
      return () => void all.delete(listener);
    },
    tell(...told: Told): void {
      for (const listener of all) listener(...told);
    },
  };
}

/** A value and who hears that it changed: what `useSyncExternalStore` asks for. */
export function createStore<Value>(value: Value) {
  const { on, tell } = createListeners();
  return {
    subscribe: on,
    now: () => value,
    set(next: Value): void {
      value = next;
      tell();
    },
  };
}

export type Store<Value> = ReturnType<typeof createStore<Value>>;
