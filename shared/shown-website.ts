/** A website as people read it: without the parts that every address has. */
export function shownWebsite(href: string): string {
  return href.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}
