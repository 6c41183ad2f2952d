import { Form, useNavigation } from "react-router";
import * as words from "#messages/security.json";
import * as settings from "#messages/settings.json";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { rightLabels } from "#app/features/identity/security/right-labels.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
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
    return { message: ended ? words.appDisconnected : words.appWasDisconnected };
  }),
});

/** Third-party apps that the member has connected, each with a button to disconnect it. */
export default function ConnectedApps({ loaderData, actionData }: Route.ComponentProps) {
  const { apps } = loaderData;
  return (
    <>
      <BackLink to="/settings/security">{settings.security}</BackLink>
      <ScreenTitle>{words.connectedApps}</ScreenTitle>
      <div className="grid gap-4 pb-8">
        <p className="px-4 text-sm text-pretty text-muted md:px-0">{words.connectedAppsText}</p>
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
            <p className="p-4 text-muted">{words.noApps}</p>
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
            {rich(words.appConnectedAt, {
              since: <PostTime at={since} />,
              used: <PostTime at={usedAt} />,
            })}
          </p>
        </div>
        <Form method="post" className="shrink-0">
          <input type="hidden" name="app" value={id} />
          <Button type="submit" pending={ending} aria-label={fill(words.disconnectApp, { name })}>
            {words.disconnectOne}
          </Button>
        </Form>
      </div>
      <ul className="list-disc ps-5 text-sm text-muted">
        {rights.map((right) => (
          <li key={right}>{rightLabels[right]}</li>
        ))}
      </ul>
    </li>
  );
}
