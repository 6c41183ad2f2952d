/** What one batch may hold: after each one, progress is saved and other work gets a chance to run. */
export type BatchBounds = { items: number; images: number; characters: number };

type Weight = { images: number; characters: number };

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
  let weight: Weight = { images: 0, characters: 0 };
  for await (const list of lists) {
    for (const from of list.slice(left)) {
      const item = prepare(from);
      const { images, characters } = weigh(item);
      const full =
        batch.length === most.items ||
        weight.images + images > most.images ||
        weight.characters + characters > most.characters;
      if (full && batch.length > 0) {
        yield batch;
        batch = [];
        weight = { images: 0, characters: 0 };
      }
      batch.push(item);
      weight = {
        images: weight.images + images,
        characters: weight.characters + characters,
      };
    }
    left = Math.max(0, left - list.length);
  }
  if (batch.length > 0) yield batch;
}
