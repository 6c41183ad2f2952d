import { copyText } from "#app/lib/text/copy-text.ts";
import { notify } from "#app/lib/toasts.ts";

/** Copies the address of a page of ours. */
export async function copyLink(path: string): Promise<void> {
  const url = new URL(path, window.location.origin).href;
  if (await copyText(url)) notify.success("Link copied");
  else notify.error(`Your browser didn't let us copy. The link is ${url}`);
}
