import { useEffect } from "react";
import { useLocation } from "react-router";
import { Completing } from "#app/features/completion/completing.tsx";
import { Unreached } from "#app/features/offline/unreached.tsx";
import { passOverLeftEntries } from "#app/features/posts/lightbox/over-page.ts";
import { Shortcuts } from "#app/features/shell/shortcuts/shortcuts.tsx";
import { AskHost } from "#app/ui/ask-host.tsx";
import { useKeyboardRoom } from "#app/features/shell/use-keyboard-room.ts";

/**
 * What answers to a person who is doing something already: the questions of dialogs, keys, the keyboard of a phone, what is
 * written, links that lead nowhere without a line, and what Back closes. `writes`: members alone are offered
 * names and tags.
 */
export function ActListeners({ writes }: { writes: boolean }) {
  useKeyboardRoom();
  const { key } = useLocation();
  useEffect(() => passOverLeftEntries(key), [key]);
  // For tests and for programs, as data-alive is.
  useEffect(() => {
    document.documentElement.dataset["acted"] = "";
  }, []);
  return (
    <>
      <AskHost />
      <Shortcuts />
      <Unreached />
      {writes ? <Completing /> : null}
    </>
  );
}
