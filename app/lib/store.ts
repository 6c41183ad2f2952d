/** Those who want to hear of something. */
export function createListeners<Args extends unknown[] = []>() {
  const all = new Set<(...args: Args) => void>();
  return {
    /** @returns the way to stop listening */
    on(listener: (...args: Args) => void): () => void {
      all.add(listener);
      return () => void all.delete(listener);
    },
    emit(...args: Args): void {
      for (const listener of all) listener(...args);
    },
  };
}

/** A value and who hears that it changed: what `useSyncExternalStore` asks for. */
export function createStore<Value>(value: Value) {
  const { on, emit } = createListeners();
  return {
    subscribe: on,
    now: () => value,
    set(next: Value): void {
      value = next;
      emit();
    },
  };
}

export type Store<Value> = ReturnType<typeof createStore<Value>>;
