/** The operator's name for this site; the same for everybody. */
let siteName = "Postcard";

/** Before anything below renders a title. */
export function setSiteName(known: string | undefined): void {
  if (known) siteName = known;
}

/** A document's title: what it shows, from the most specific to the most general, and the site. */
export function documentTitle(...parts: string[]): string {
  return [...parts, siteName].join(" · ");
}
