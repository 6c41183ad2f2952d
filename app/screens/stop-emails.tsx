import { Form } from "react-router";
import { appContext } from "#app/lib/context.ts";
import { orRefusalPage } from "#app/lib/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/stop-emails.ts";

/** Where a daily email leads that is not wanted: without signing in. Opening it changes nothing. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { features } = context.get(appContext);
  await orRefusalPage((async () => features.digest.accountOf(params.token))());
  return null;
}

/** Also what a mail program sends by itself (RFC 8058). */
export async function action({ params, context }: Route.ActionArgs) {
  const { features } = context.get(appContext);
  await orRefusalPage(features.digest.stop(params.token));
  return { stopped: true };
}

export default function StopEmails({ actionData }: Route.ComponentProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>Daily emails · Postcard</title>
      {actionData?.stopped ? (
        <>
          <h1 className="text-xl font-semibold">No more daily emails</h1>
          <p className="text-muted">You can switch them on again in Settings.</p>
          <ButtonLink to="/">Home</ButtonLink>
        </>
      ) : (
        <>
          <h1 className="text-xl font-semibold">Stop the daily emails?</h1>
          <p className="text-muted">What you are told stays on your notifications page.</p>
          <Form method="post">
            <Button type="submit" look="primary">
              Stop them
            </Button>
          </Form>
        </>
      )}
    </div>
  );
}
