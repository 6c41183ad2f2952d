import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { takeFirstInteraction } from "#app/lib/page/first-interaction.ts";
import { notifyAndClose, lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";

const HelpSheet = lazyComponent(
  async () => (await import("#app/features/shell/shortcuts/help-sheet.tsx")).HelpSheet,
  notifyAndClose,
);

const writing = "input, textarea, select, [contenteditable]:not([contenteditable=false])";

/**
 * Keys that work on every screen, never while one types or a dialog is open. Their code loads with the
 * first of them: until then only this listener is loaded.
 */
export function Shortcuts() {
  const navigate = useNavigate();
  /** Number of the help sheet that is open; 0 is none. */
  const [help, setHelp] = useState(0);

  useEffect(() => {
    let before = "";
    const showHelp = () => setHelp((seen) => seen + 1);
    async function press(event: KeyboardEvent): Promise<void> {
      const { key, target } = event;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.isComposing || !/^[a-z/?]$/.test(key)) return;
      // Until the next frame the focus is still in the dialog that was closed.
      if (target instanceof Element && target.closest(writing)?.checkVisibility()) return;
      if (document.querySelector("dialog[open], :popover-open")) return;
      const first = before;
      before = key === "g" && first !== "g" ? "g" : "";
      // Firefox would open its own search.
      if (key === "/") event.preventDefault();
      const { runShortcut } = await import("#app/features/shell/shortcuts/run-shortcut.ts");
      runShortcut(first === "g" ? `g ${key}` : key, { navigate, showHelp });
    }
    const onKeyDown = (event: KeyboardEvent) => void press(event).catch(notifyUnreachable);
    document.addEventListener("keydown", onKeyDown);
    // The key that loaded this code.
    const first = takeFirstInteraction();
    if (first instanceof KeyboardEvent) onKeyDown(first);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [navigate]);

  if (help === 0) return null;
  // A closing sheet reports it a moment later: by then ? may have opened the next one.
  const close = () => setHelp((seen) => (seen === help ? 0 : seen));
  return <HelpSheet key={help} onClose={close} />;
}
