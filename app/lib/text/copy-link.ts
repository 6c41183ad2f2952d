import * as words from "#messages/ui.json";
import { copyText } from "#app/lib/text/copy-text.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";

/** Copies the address of a page of ours. */
export async function copyLink(path: string): Promise<void> {
  const url = new URL(path, window.location.origin).href;
  if (await copyText(url)) notify.success(words.linkCopied);
  else notify.error(fill(words.copyRefused, { link: url }));
}
