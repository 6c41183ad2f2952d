import { success } from "#messages/identity.json";
import { signedOut as signedOutText } from "#messages/shell.json";
import { clearBrowserData } from "#app/lib/browser-data.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { setSigningOut, notifyOtherTabs } from "#app/lib/live/session-channel.ts";
import { ask } from "#app/ui/ask.ts";

/** A stalled request fails like a broken one, milliseconds. */
const timeoutMs = 20_000;

/** Signs out, says so and loads `/` as a document. @returns whether it did */
export async function signOutNow(): Promise<boolean> {
  setSigningOut(true);
  const signedOut = await signOut();
  setSigningOut(signedOut);
  if (!signedOut) return false;
  forgetLists();
  clearBrowserData();
  notifyOtherTabs("signed-out");
  await ask({ title: success, text: signedOutText });
  window.location.assign("/");
  return true;
}

async function signOut(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    return (await fetch("/signOut", { method: "POST", signal })).ok;
  } catch {
    return false;
  }
}
