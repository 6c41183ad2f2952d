import { enter } from "../support/members.ts";
import { guide, pageOf, type Tour } from "./guide.ts";

const app = {
  client_name: "Paper Plane",
  website: "https://paperplane.example.org",
  redirect_uris: "https://paperplane.example.org/postcard/signed-in",
  scopes: "read write follow push",
};

/** What an app asks a member for, and what becomes of one that asks to lead elsewhere. */
export async function apps(tour: Tour, missed: string[]): Promise<void> {
  const registered = await fetch(`${tour.url}/api/v1/apps`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(app),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const consent = (redirect_uri: string) => {
    const { scopes: scope } = app;
    const query = { response_type: "code", client_id, redirect_uri, scope };
    return `/oauth/authorize?${new URLSearchParams(query)}`;
  };
  const context = await tour.browse();
  await enter(context, tour.url, tour.staged.nora);
  const page = await pageOf(context);
  const see = guide(page, tour.camera, missed);
  await see(
    "connect-app",
    async () => {
      await page.goto(consent(app.redirect_uris));
      await page.locator("button[value=allow]:not([aria-disabled])").waitFor();
    },
    { whole: true },
  );
  await see("connect-app-elsewhere", () => page.goto(consent("https://elsewhere.example.org")));
  await context.close();
}
