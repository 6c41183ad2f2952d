import { Form, redirect } from "react-router";
import { HideChoices } from "#app/features/blocks/hide-choices.tsx";
import { applyHide } from "#app/features/blocks/apply-hide.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import { orNotFound, orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath, signInPath } from "#app/lib/return-path.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/block.ts";

/** Where "Mute or block" leads without scripts: it says what each does and asks. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  requireMember({ viewer });
  const { account, muted, isViewer } = orNotFound(await features.profiles.get(viewer, params.id));
  orNotFound(isViewer ? null : account);
  const query = new URL(request.url).searchParams;
  const back = safeReturnPath(query.get(returnParameter));
  return { account, muted, back, blocking: query.get("intent") === "block" };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const { fields } = await orRefusalPage(readForm(request));
  const back = safeReturnPath(fields[returnParameter]);
  if (!viewer) throw redirect(signInPath({ pathname: back }));
  await orRefusalPage(applyHide(features, viewer, params.id, fields["intent"]));
  // Their own pages are gone with a block.
  throw redirect(fields["intent"] === "block" ? "/settings/blocked" : back);
}

export default function Block({ loaderData }: Route.ComponentProps) {
  const { account, muted, back, blocking } = loaderData;
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-12 text-center">
      <title>Mute or block · Postcard</title>
      <Avatar name={account.name} picture={account.avatar} size="xl" priority />
      <h1 dir="auto" className="text-xl font-semibold wrap-anywhere">
        {account.name}
      </h1>
      <Form method="post" className="grid w-full gap-5">
        <input type="hidden" name={returnParameter} value={back} />
        <HideChoices muted={muted} action={blocking ? "block" : muted ? "unmute" : "mute"} />
        <div className="flex justify-center gap-3">
          <Button type="submit" look="primary">
            OK
          </Button>
          <ButtonLink to={back}>Cancel</ButtonLink>
        </div>
      </Form>
    </div>
  );
}
