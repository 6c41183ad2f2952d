import { copyLink } from "#app/lib/text/copy-link.ts";

/** The address of a post as it is shown: of a set of photos the one in sight, `#2` and on. */
export function pathOfShown(path: string, post: Element | null): string {
  const row = post?.querySelector<HTMLElement>("[data-photo-frame] > div > ul");
  const shown = row ? Math.round(Math.abs(row.scrollLeft) / row.clientWidth) : 0;
  return shown > 0 ? `${path}#${shown + 1}` : path;
}

/** Opens the device's own share sheet for a page of ours; where there is none, copies its address. */
export async function share({ path, title }: { path: string; title: string }): Promise<void> {
  const url = new URL(path, window.location.origin).href;
  if (typeof navigator.share === "function") {
    try {
      return await navigator.share({ title, url });
    } catch (error) {
      // Closed without a choice: that is an answer too.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copyLink(path);
}
