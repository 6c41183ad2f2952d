import { useEffect, useRef } from "react";
import { redirect } from "react-router";
import { appContext } from "#app/lib/context.ts";
import { themeCookie, themeOf, useThemeFetcher } from "#app/lib/theme.ts";
import { Button } from "#app/ui/button.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/settings.ts";

export const meta: Route.MetaFunction = () => [{ title: "Settings · Postcard" }];

export function loader({ context }: Route.LoaderArgs) {
  return { theme: context.get(appContext).theme };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { readForm, publicUrl } = context.get(appContext);
  const { fields } = await readForm(request);
  const cookie = themeCookie(themeOf(fields["theme"]), publicUrl.startsWith("https:"));
  return redirect("/settings", { headers: { "Set-Cookie": cookie } });
}

export default function Settings({ loaderData }: Route.ComponentProps) {
  const fetcher = useThemeFetcher();
  const { submit } = fetcher;
  const { theme } = loaderData;
  const box = useRef<HTMLInputElement>(null);

  // Pressed before the scripts took over: nobody heard it.
  useEffect(() => {
    const pressed = box.current?.checked !== (theme === "synthwave");
    if (pressed) void submit(box.current?.form ?? null);
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <>
      <PageTitle>Settings</PageTitle>
      <fetcher.Form
        method="post"
        action="/settings"
        className="mx-4 rounded-box border border-line md:mx-0"
      >
        <div className="relative flex min-h-16 items-center justify-between gap-6 px-4 py-3">
          <div>
            {/* The whole row is the label's. */}
            <label htmlFor="theme" className="font-medium before:absolute before:inset-0">
              Dark theme
            </label>
            <p id="theme-hint" className="text-sm text-muted">
              Synthwave, for the evening.
            </p>
          </div>
          <input
            id="theme"
            type="checkbox"
            name="theme"
            value="synthwave"
            aria-describedby="theme-hint"
            ref={box}
            defaultChecked={theme === "synthwave"}
            onChange={(event) => void submit(event.currentTarget.form)}
            className="toggle toggle-primary toggle-lg relative"
          />
        </div>
        <noscript>
          <div className="border-t border-line p-4">
            <Button type="submit">Use this theme</Button>
          </div>
        </noscript>
      </fetcher.Form>
    </>
  );
}
