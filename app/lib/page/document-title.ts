/** What the operator calls this place; the same for everybody who looks. */
let siteName = "Postcard";

/** Before anything below draws a title. */
export function setSiteName(known: string | undefined): void {
  if (known) siteName = known;
}

/** A document's title: what it shows, from the closest to the widest, and where that is. */
export function documentTitle(...parts: string[]): string {
  return [...parts, siteName].join(" · ");
}
