import { useState } from "react";
import * as words from "#messages/shell.json";
import {
  shortcuts,
  shortcutsAreOn,
  setShortcutsOn,
} from "#app/features/shell/shortcuts/shortcut-list.ts";
import { Dialog } from "#app/ui/dialog.tsx";

/** All keyboard shortcuts, and the switch that turns them off. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(shortcutsAreOn);
  return (
    <Dialog title={words.keyboardShortcuts} onClose={onClose}>
      <dl className="grid gap-2 py-1">
        {shortcuts.map(({ keys, does }) => (
          <div key={does} className="flex items-center gap-5">
            <dt className="flex w-16 shrink-0 gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-field border border-line border-b-2 bg-base-200 px-2 py-0.5 font-sans text-sm"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd className={on || does === words.showShortcuts ? "" : "text-muted line-through"}>
              {does}
            </dd>
          </div>
        ))}
      </dl>
      <label className="flex min-h-11 items-center justify-between gap-4 border-t border-line pt-2">
        {words.shortcutsOn}
        <input
          type="checkbox"
          className="toggle"
          checked={on}
          onChange={(event) => {
            setOn(event.currentTarget.checked);
            setShortcutsOn(event.currentTarget.checked);
          }}
        />
      </label>
    </Dialog>
  );
}
