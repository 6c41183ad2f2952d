/** Adds to the set of a key, and returns the set. */
export function addTo<Key, Item>(map: Map<Key, Set<Item>>, key: Key, item: Item): Set<Item> {
  const set = map.get(key) ?? new Set();
  map.set(key, set.add(item));
  return set;
}

/** Removes from the set of a key, and the key with its last value. */
export function takeFrom<Key, Item>(map: Map<Key, Set<Item>>, key: Key, item: Item): void {
  const set = map.get(key);
  set?.delete(item);
  if (set?.size === 0) map.delete(key);
}
