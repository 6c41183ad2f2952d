import { notify } from "#app/lib/toasts.ts";

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
  if (await copy(url)) notify.success("Link copied");
  else notify.error(`Your browser did not let us copy. The link is ${url}`);
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

/** The older way: on plain http, as in a home network, there is no other. */
function copyFromField(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return copied;
}
