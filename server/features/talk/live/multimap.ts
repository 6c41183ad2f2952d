/** Adds to the set of a key, and answers it. */
export function addTo<Key, Item>(map: Map<Key, Set<Item>>, key: Key, item: Item): Set<Item> {
  const set = map.get(key) ?? new Set();
  map.set(key, set.add(item));
  return set;
}

/** Takes from the set of a key; an empty one goes. */
export function takeFrom<Key, Item>(map: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const set = map.get(key);
  set?.delete(item);
  if (set?.size === 0) map.delete(key);
}
