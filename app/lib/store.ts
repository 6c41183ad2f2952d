/** The subscribers of something. */
export function createListeners<Args extends unknown[] = []>() {
  const all = new Set<(...args: Args) => void>();
  return {
    /** @returns a function that unsubscribes */
    on(listener: (...args: Args) => void): () => void {
      all.add(listener);
      return () => void all.delete(listener);
    },
    emit(...args: Args): void {
      for (const listener of all) listener(...args);
    },
  };
}

/** A value and its subscribers, as `useSyncExternalStore` takes it. */
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
