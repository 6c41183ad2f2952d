/** How high cards were when they were last drawn, CSS pixels, by `heightKey`. Browser only, as everything here. */
export const cardHeights = new Map<string, number>();

/** Cards of the home feed show comments: the same post has another height elsewhere. */
export const heightKey = (post: { id: string; comments?: unknown }) =>
  post.comments ? post.id : `${post.id} alone`;

let measured = false;

/** Whether a height is new since this was asked last. */
export function takeMeasured(): boolean {
  const were = measured;
  measured = false;
  return were;
}

/** Of a card that was never drawn: what the last ones had, CSS pixels. */
let typicalHeight = 500;

export function recordHeight(key: string, height: number): void {
  measured ||= cardHeights.get(key) !== height;
  cardHeights.set(key, height);
  typicalHeight += (height - typicalHeight) / 10;
}

/** Of a card that is put away. What it was given stays its height until it is drawn, in the next document too. */
export function foldedHeight(post: { id: string; comments?: unknown }): number {
  const key = heightKey(post);
  if (!cardHeights.has(key)) recordHeight(key, typicalHeight);
  return cardHeights.get(key) ?? typicalHeight;
}
