import { useEffect } from "react";
import { useNavigate } from "react-router";
import * as words from "#messages/identity.json";
import { notifyOtherTabs } from "#app/lib/live/session-channel.ts";
import { LazyDialog } from "#app/ui/lazy-dialog.tsx";

/** Says that it worked, then leads to the page that was first requested. */
export function SignedInDialog({ text, to }: { text: string; to: string }) {
  const navigate = useNavigate();
  useEffect(() => notifyOtherTabs("signed-in"), []);
  return (
    <LazyDialog
      title={words.success}
      text={text}
      okTo={to}
      onClose={() => void navigate(to, { replace: true })}
    />
  );
}
