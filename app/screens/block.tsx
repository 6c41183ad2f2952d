import { Form, redirect } from "react-router";
import { reportSubjects } from "#shared/report-kinds.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/people.json";
import { HideChoices, type HideAction } from "#app/features/blocks/hide-choices.tsx";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { memberPage, orNotFound } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath } from "#app/lib/return-path.ts";
import { backToPage, form, formAction } from "#app/lib/forms/form-action.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import type { Route } from "./+types/block";

/** The page of "Mute, block or report" without scripts: it says what each does and asks. */
export async function loader({ url: { searchParams: query }, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { account, muted, followsViewer, isViewer } = orNotFound(
    await features.profiles.get(member, params.id),
  );
  orNotFound(isViewer ? null : account);
  const back = safeReturnPath(query.get(returnParameter));
  // What a report would be about: named in the address where it is not the account.
  const { [returnParameter]: _, intent: __, ...named } = Object.fromEntries(query);
  const kind = reportSubjects.find((subject) => subject === named["kind"]) ?? "account";
  const reported = kind === "account" ? { kind, accountId: account.id } : named;
  const intent = query.get("intent");
  const action: HideAction =
    intent === "block" || intent === "report" ? intent : muted ? "unmute" : "mute";
  return {
    account,
    muted,
    follower: followsViewer,
    back,
    action,
    kind,
    reported: new URLSearchParams(reported).toString(),
  };
}

export const action = formAction({
  // After a block their own pages no longer exist for the viewer.
  block: form(({ blocks }) => blocks.block, { ...backToPage, to: "/settings/blocked" }),
  unblock: form(({ blocks }) => blocks.unblock, backToPage),
  remove: form(({ follows }) => follows.removeFollower, {
    ...backToPage,
    send: ({ fields }) => ({ params: { address: fields["address"] } }),
  }),
  mute: form(({ blocks }) => blocks.mute, backToPage),
  unmute: form(({ blocks }) => blocks.unmute, backToPage),
  report: async (_page, { fields, back }) => {
    const reported = new URLSearchParams(fields["reported"] ?? "");
    reported.set(returnParameter, back);
    return redirect(`/report?${reported}`);
  },
});

export default function Block({ loaderData }: Route.ComponentProps) {
  const { account, muted, follower, back, action: chosen, kind, reported } = loaderData;
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-12 text-center">
      <title>{documentTitle(words.muteBlockReport)}</title>
      <Avatar name={account.name} image={account.avatar} size="xl" priority />
      <h1 dir="auto" className="text-xl font-semibold wrap-anywhere">
        {account.name}
      </h1>
      <Form method="post" className="grid w-full gap-5">
        <input type="hidden" name={returnParameter} value={back} />
        <input type="hidden" name="address" value={account.username} />
        <input type="hidden" name="reported" value={reported} />
        <HideChoices muted={muted} follower={follower} action={chosen} thing={kind} />
        <div className="flex justify-center gap-3">
          <Submit>{words.ok}</Submit>
          <ButtonLink to={back}>{common.cancel}</ButtonLink>
        </div>
      </Form>
    </div>
  );
}
