import { useEffect, useState } from "react";
import { useFetcher } from "react-router";
import { notify } from "#app/lib/toasts.ts";
import { forgetLists } from "#app/lib/remembered-lists.ts";
import { tellOtherTabs } from "#app/lib/session-channel.ts";
import { ask } from "#app/ui/ask.tsx";
import { SignOutIcon } from "#app/ui/icons.ts";

export type SignOutAnswer = { signedOut: boolean };

const useSignOut = () => useFetcher<SignOutAnswer>({ key: "sign-out" });

type SignOutButtonProps = {
  className: string;
  labelClassName?: string;
  iconClassName?: string;
  onPress?: () => void;
};

/** A form, so that it also works without scripts. */
export function SignOutButton({
  className,
  labelClassName = "",
  iconClassName = "size-6",
  onPress,
}: SignOutButtonProps) {
  const fetcher = useSignOut();
  return (
    <fetcher.Form method="post" action="/signOut">
      <button
        type="submit"
        title="Sign Out"
        aria-disabled={fetcher.state !== "idle" || undefined}
        onClick={onPress}
        className={className}
      >
        <SignOutIcon className={`shrink-0 ${iconClassName}`} aria-hidden />
        <span className={labelClassName}>Sign Out</span>
      </button>
    </fetcher.Form>
  );
}

/** Says that it worked, then loads `/` as a document: nothing of the member stays in memory. */
export function SignOutDialog() {
  const { data } = useSignOut();
  const [failed, setFailed] = useState<SignOutAnswer>();
  const signedOut = data?.signedOut === true;
  useEffect(() => {
    if (!signedOut) return;
    forgetLists();
    tellOtherTabs("signed-out");
    // Asked, not rendered here: a page for members gives way to the prompt, and this part with it.
    const said = ask({ title: "Success", text: "Signed Out Successfully" });
    void said.then(() => window.location.assign("/"));
  }, [signedOut]);
  if (data && !signedOut && data !== failed) {
    setFailed(data);
    notify.error("You are still signed in. Please try again.");
  }
  return null;
}
