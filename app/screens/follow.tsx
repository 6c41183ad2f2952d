import { Form } from "react-router";
import * as words from "#messages/people.json";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { memberPage, orNotFound } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath } from "#app/lib/return-path.ts";
import { backToPage, form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import type { Route } from "./+types/follow";

const field = fieldsOf<FormCalls["follows"]["unfollow"]>();

/** The page of Follow and Following without scripts: it follows at once and asks before it unfollows. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { account } = orNotFound(await features.profiles.get(member, params.id));
  const back = safeReturnPath(url.searchParams.get(returnParameter));
  return { account, back };
}

export const action = formAction({
  [unnamed]: form(({ follows }) => follows.follow, backToPage),
  unfollow: form(({ follows }) => follows.unfollow, backToPage),
});

export default function Unfollow({ loaderData: { account, back } }: Route.ComponentProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>{documentTitle(words.unfollow)}</title>
      <Avatar name={account.name} image={account.avatar} size="xl" priority />
      <h1 className="text-xl font-semibold">{words.unfollowQuestion}</h1>
      <p dir="auto" className="text-muted wrap-anywhere">
        {account.name}
      </p>
      <Form method="post" className="flex gap-3">
        <input type="hidden" name={returnParameter} value={back} />
        <input type="hidden" name={field("address")} value={account.username} />
        <input type="hidden" name="intent" value="unfollow" />
        <Submit>{words.yes}</Submit>
        <ButtonLink to={back}>{words.no}</ButtonLink>
      </Form>
    </div>
  );
}
