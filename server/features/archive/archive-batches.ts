/** What one batch may hold: after each one, progress is saved and other work gets a chance to run. */
export type BatchBounds = { items: number; pictures: number; characters: number };

type Weight = { pictures: number; characters: number };

/**
 * Groups lists of items into batches, leaving out the first `skip`. A single item that is too heavy becomes
 * a batch of its own.
 */
export async function* toBatches<From, Item>(
  lists: AsyncIterable<readonly From[]>,
  { skip, most }: { skip: number; most: BatchBounds },
  prepare: (from: From) => Item,
  weigh: (item: Item) => Weight,
): AsyncGenerator<Item[]> {
  let left = skip;
  let batch: Item[] = [];
  let weight: Weight = { pictures: 0, characters: 0 };
  for await (const list of lists) {
    for (const from of list.slice(left)) {
      const item = prepare(from);
      const { pictures, characters } = weigh(item);
      const full =
        batch.length === most.items ||
        weight.pictures + pictures > most.pictures ||
        weight.characters + characters > most.characters;
      if (full && batch.length > 0) {
        yield batch;
        batch = [];
        weight = { pictures: 0, characters: 0 };
      }
      batch.push(item);
      weight = {
        pictures: weight.pictures + pictures,
        characters: weight.characters + characters,
      };
    }
    left = Math.max(0, left - list.length);
  }
  if (batch.length > 0) yield batch;
}
