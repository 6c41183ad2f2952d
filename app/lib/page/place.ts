/** What the operator calls this place; the same for everybody who looks. */
let name = "Postcard";

/** Before anything below draws a title. */
export function showPlaceName(known: string | undefined): void {
  if (known) name = known;
}

/** A document's title: what it shows, from the closest to the widest, and where that is. */
export function titled(...parts: string[]): string {
  return [...parts, name].join(" · ");
}
