import { useEffect, useRef } from "react";
import * as words from "#messages/settings.json";
import {
  themeCookie,
  themeOf,
  useTheme,
  useThemeFetcher,
  type Theme,
} from "#app/lib/page/theme.ts";
import { Button } from "#app/ui/button.tsx";
import { SwitchRow } from "#app/ui/switch-row.tsx";

/** Checked is synthwave; it changes while the choice is being saved. */
export function ThemeSwitch({ saved }: { saved: Theme }) {
  const fetcher = useThemeFetcher();
  const theme = useTheme(saved);
  const form = useRef<HTMLFormElement>(null);
  const { submit } = fetcher;

  function choose(): void {
    const chosen = themeOf(new FormData(form.current ?? undefined).get("theme"));
    // At once, not with the server's answer: a page that loads meanwhile has it already.
    document.cookie = themeCookie(chosen, window.location.protocol === "https:");
    void submit(form.current);
  }

  // Pressed before hydration: no handler ran.
  useEffect(() => {
    const box = form.current?.querySelector("input");
    if (box && box.checked !== (theme === "synthwave")) choose();
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <fetcher.Form
      ref={form}
      method="post"
      action="/settings"
      className="mx-4 rounded-box border border-line bg-base-100 md:mx-0"
    >
      <SwitchRow
        name="theme"
        value="synthwave"
        label={words.darkTheme}
        hint={words.darkThemeHint}
        defaultChecked={theme === "synthwave"}
        onChange={choose}
      />
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">{words.useTheme}</Button>
        </div>
      </noscript>
    </fetcher.Form>
  );
}
