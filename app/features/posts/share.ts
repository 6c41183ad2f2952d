import { copyLink } from "#app/features/posts/copy-link.ts";

/** Hands a page of ours to the device's own share sheet; where there is none, copies its address. */
export async function share({ path, title }: { path: string; title: string }): Promise<void> {
  const url = new URL(path, window.location.origin).href;
  if (typeof navigator.share === "function") {
    try {
      return await navigator.share({ title, url });
    } catch (error) {
      // Closed without choosing anybody: that is an answer too.
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  await copyLink(path);
}
