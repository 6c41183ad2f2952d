import { Form } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/posts.json";
import { AudienceChoices } from "#app/features/posts/audience/audience-choices.tsx";
import { findOwnPost } from "#app/features/posts/find-post.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { pathOfPost, postAt } from "#app/lib/text/links.ts";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import type { Route } from "./+types/post-audience";

/** The page of "Who can see it" without scripts. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { post: await findOwnPost(features, member, params) };
}

export const action = formAction({
  [unnamed]: form(({ posts }) => posts.edit, {
    send: ({ fields }) => ({
      body: { version: Number(fields["version"]), audience: fields["audience"] },
    }),
    to: ({ params }) => postAt(params),
  }),
});

export default function PostAudience({ loaderData: { post } }: Route.ComponentProps) {
  return (
    <div className="mx-auto grid max-w-md gap-5 px-4 py-12">
      <title>{documentTitle(words.whoCanSee)}</title>
      <div className="grid gap-2">
        <h1 className="text-xl font-semibold">{words.whoCanSee}</h1>
        <p className="text-pretty text-muted">{words.audiencePageText}</p>
      </div>
      <Form method="post" className="grid gap-5">
        <input type="hidden" name="version" value={post.version} />
        <AudienceChoices chosen={post.audience} saved={post.audience} isPrivate={post.private} />
        <div className="flex gap-3">
          <Submit>{common.save}</Submit>
          <ButtonLink to={pathOfPost(post)}>{common.cancel}</ButtonLink>
        </div>
      </Form>
    </div>
  );
}
