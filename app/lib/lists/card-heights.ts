/** Heights of cards when last rendered, CSS pixels, by `heightKey`. Browser only, as everything here. */
export const cardHeights = new Map<string, number>();

/** Cards of the home feed show comments: the same post has another height elsewhere. */
export const heightKey = (post: { id: string; comments?: unknown }) =>
  post.comments ? post.id : `${post.id} alone`;

let measured = false;

/** Whether a height is new since the last call. */
export function takeMeasured(): boolean {
  const were = measured;
  measured = false;
  return were;
}

/** For a card that was never rendered: the average of the last ones, CSS pixels. */
let typicalHeight = 500;

export function recordHeight(key: string, height: number): void {
  measured ||= cardHeights.get(key) !== height;
  cardHeights.set(key, height);
  typicalHeight += (height - typicalHeight) / 10;
}

/** The height of a folded card; an estimate stays until it is rendered, in the next document too. */
export function foldedHeight(post: { id: string; comments?: unknown }): number {
  const key = heightKey(post);
  if (!cardHeights.has(key)) recordHeight(key, typicalHeight);
  return cardHeights.get(key) ?? typicalHeight;
}
