import { useState, type SubmitEvent } from "react";
import { forgetKeptMessages } from "#app/lib/forms/kept-messages.ts";
import { notify } from "#app/lib/toasts.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { setSigningOut, tellOtherTabs } from "#app/lib/live/session-channel.ts";
import { ask } from "#app/ui/ask.tsx";
import { SignOutIcon } from "#app/ui/icons.ts";

/** A line that went silent fails like one that broke, milliseconds. */
const silentMs = 20_000;

type SignOutButtonProps = {
  className: string;
  labelClassName?: string;
  iconClassName?: string;
  onPress?: () => void;
};

/**
 * A form, so that it also works without scripts. With them it says that it worked, then loads `/` as
 * a document: nothing of the member stays in memory. Not the router's submission: that would put the
 * sign-in prompt in the dialog's place, and its error page in the place of this one.
 */
export function SignOutButton({
  className,
  labelClassName = "",
  iconClassName = "size-6",
  onPress,
}: SignOutButtonProps) {
  const [leaving, setLeaving] = useState(false);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    if (leaving) return;
    setLeaving(true);
    setSigningOut(true);
    const signedOut = await signOut();
    setLeaving(false);
    setSigningOut(signedOut);
    if (!signedOut) return notify.error("You're still signed in. Please try again.");
    forgetLists();
    forgetKeptMessages();
    tellOtherTabs("signed-out");
    await ask({ title: "Success", text: "Signed Out Successfully" });
    window.location.assign("/");
  }

  return (
    <form method="post" action="/signOut" onSubmit={(event) => void submit(event)}>
      <button
        type="submit"
        title="Sign Out"
        aria-disabled={leaving || undefined}
        onClick={onPress}
        className={className}
      >
        <SignOutIcon className={`shrink-0 ${iconClassName}`} aria-hidden />
        <span className={labelClassName}>Sign Out</span>
      </button>
    </form>
  );
}

async function signOut(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(silentMs);
    return (await fetch("/signOut", { method: "POST", signal })).ok;
  } catch {
    return false;
  }
}
