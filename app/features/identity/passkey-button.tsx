import { useState } from "react";
import * as words from "#messages/identity.json";
import { notifyOtherTabs } from "#app/lib/live/session-channel.ts";
import { said } from "#app/lib/text/said.ts";
import { notify } from "#app/lib/toasts.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { Button } from "#app/ui/button.tsx";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";

/** Needs the browser's own dialog, so it is there with scripts only; its code loads when pressed. */
export function PasskeyButton({ to }: { to: string }) {
  const publicUrl = useRootData()?.publicUrl ?? "";
  const [step, setStep] = useState<"asked" | "signed in" | null>(null);

  async function signIn() {
    setStep("asked");
    try {
      const { signInWithPasskey } =
        await import("#app/features/identity/security/passkey-ceremonies.ts");
      const entered = await signInWithPasskey(publicUrl);
      if (entered?.to) return window.location.assign(entered.to);
      setStep(entered ? "signed in" : null);
      if (entered) notifyOtherTabs("signed-in");
    } catch (error) {
      setStep(null);
      notify.error(said((error as Error).message));
    }
  }

  return (
    <>
      <Button
        pending={step === "asked"}
        onClick={() => void signIn()}
        className="-mt-2 w-full noscript:invisible"
      >
        {words.passkey}
      </Button>
      {step === "signed in" ? (
        <LazyDialog
          title={words.success}
          text={words.signedIn}
          // As a document: what this page stored of a visitor is gone.
          onClose={() => window.location.assign(to)}
        />
      ) : null}
    </>
  );
}
