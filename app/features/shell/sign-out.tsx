import { useState } from "react";
import * as words from "#messages/shell.json";
import { instead } from "#app/lib/instead.ts";
import { notify } from "#app/lib/toasts.ts";
import { SignOutIcon } from "#app/ui/icons.ts";

type SignOutButtonProps = {
  className: string;
  labelClassName?: string;
  iconClassName?: string;
  onPress?: () => void;
};

/**
 * A form, so that it also works without scripts. With them it says that it worked, then loads `/` as a
 * document: nothing of the member stays in memory. Not the router's submission: that would replace the
 * dialog by the sign-in prompt, and this page by its error page.
 */
export function SignOutButton({
  className,
  labelClassName = "",
  iconClassName = "size-6",
  onPress,
}: SignOutButtonProps) {
  const [leaving, setLeaving] = useState(false);

  async function submit() {
    if (leaving) return;
    setLeaving(true);
    const signedOut = await import("#app/features/shell/sign-out-now.ts").then(
      ({ signOutNow }) => signOutNow(),
      () => false,
    );
    setLeaving(false);
    if (!signedOut) notify.error(words.stillSignedIn);
  }

  return (
    <form method="post" action="/signOut" onSubmit={instead(submit)}>
      <button
        type="submit"
        title={words.signOut}
        aria-disabled={leaving || undefined}
        onClick={onPress}
        className={className}
      >
        <SignOutIcon className={`shrink-0 rtl:-scale-x-100 ${iconClassName}`} aria-hidden />
        <span className={labelClassName}>{words.signOut}</span>
      </button>
    </form>
  );
}
