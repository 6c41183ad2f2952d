import { Form, useNavigation } from "react-router";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { act, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage, requireMember } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/connected-apps";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { apps: await features.apps.list(member) };
}

export const action = formAction({
  [unnamed]: act(async (page, { fields }) => {
    const ended = await page.features.apps.end(requireMember(page), fields["app"] ?? "");
    // Removed already, in another tab: nothing to do.
    return { message: `That app ${ended ? "is" : "was already"} disconnected.` };
  }),
});

/** Third-party apps that the member has connected, each with a button to disconnect it. */
export default function ConnectedApps({ loaderData, actionData }: Route.ComponentProps) {
  const { apps } = loaderData;
  return (
    <>
      <BackLink to="/settings/security">Security</BackLink>
      <ScreenTitle>Connected apps</ScreenTitle>
      <div className="grid gap-4 pb-8">
        <p className="px-4 text-sm text-pretty text-muted md:px-0">
          Apps for the Mastodon API can be connected to your account: choose this server in the app.
          Signing out everywhere else disconnects them, too.
        </p>
        {actionData &&
          ("message" in actionData ? (
            <p role="status" className="mx-4 rounded-field bg-base-200 px-4 py-3 md:mx-0">
              {actionData.message}
            </p>
          ) : (
            <FormAlert text={actionData.problem.message} />
          ))}
        <div className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0">
          {apps.length > 0 ? (
            <ul>
              {apps.map((app) => (
                <App key={app.id} app={app} />
              ))}
            </ul>
          ) : (
            <p className="p-4 text-muted">No app is connected.</p>
          )}
        </div>
      </div>
    </>
  );
}

type AppProps = { app: Route.ComponentProps["loaderData"]["apps"][number] };

function App({ app: { id, name, since, usedAt, rights } }: AppProps) {
  const ending = useNavigation().formData?.get("app") === id;
  return (
    <li className="-mb-px grid gap-2 border-b border-line px-4 py-3">
      <div className="flex items-center gap-4">
        <div className="min-w-0 grow">
          <p className="font-medium wrap-anywhere">
            <bdi>{name}</bdi>
          </p>
          <p className="text-sm text-muted">
            Connected: <PostTime at={since} />. Last used: <PostTime at={usedAt} />
          </p>
        </div>
        <Form method="post" className="shrink-0">
          <input type="hidden" name="app" value={id} />
          <Button type="submit" pending={ending} aria-label={`Disconnect ${name}`}>
            Disconnect
          </Button>
        </Form>
      </div>
      <ul className="list-disc ps-5 text-sm text-muted">
        {rights.map((right) => (
          <li key={right}>{right}</li>
        ))}
      </ul>
    </li>
  );
}
