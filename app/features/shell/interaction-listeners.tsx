import { useEffect } from "react";
import { useLocation } from "react-router";
import { Autocomplete } from "#app/features/completion/autocomplete.tsx";
import { Unreached } from "#app/features/offline/unreached.tsx";
import { skipStaleEntries } from "#app/features/posts/lightbox/overlay-history.ts";
import { Shortcuts } from "#app/features/shell/shortcuts/shortcuts.tsx";
import { DialogHost } from "#app/ui/dialog-host.tsx";
import { useKeyboardInset } from "#app/features/shell/use-keyboard-inset.ts";

/**
 * Everything that reacts to a person's actions: dialogs, keys, the keyboard of a phone, autocompletion,
 * links while offline, and overlays that Back closes. `writes`: only members get suggestions of names and
 * tags.
 */
export function InteractionListeners({ writes }: { writes: boolean }) {
  useKeyboardInset();
  const { key } = useLocation();
  useEffect(() => skipStaleEntries(key), [key]);
  // For tests and for programs, like data-alive.
  useEffect(() => {
    document.documentElement.dataset["acted"] = "";
  }, []);
  return (
    <>
      <DialogHost />
      <Shortcuts />
      <Unreached />
      {writes ? <Autocomplete /> : null}
    </>
  );
}
