import { forgetKeptMessages } from "#app/lib/forms/kept-messages.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { setSigningOut, tellOtherTabs } from "#app/lib/live/session-channel.ts";
import { ask } from "#app/ui/ask.ts";

/** A line that went silent fails like one that broke, milliseconds. */
const silentMs = 20_000;

/** Signs out, says so and loads `/` as a document. @returns whether it did */
export async function signOutNow(): Promise<boolean> {
  setSigningOut(true);
  const signedOut = await signOut();
  setSigningOut(signedOut);
  if (!signedOut) return false;
  forgetLists();
  forgetKeptMessages();
  tellOtherTabs("signed-out");
  await ask({ title: "Success", text: "Signed Out Successfully" });
  window.location.assign("/");
  return true;
}

async function signOut(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(silentMs);
    return (await fetch("/signOut", { method: "POST", signal })).ok;
  } catch {
    return false;
  }
}
