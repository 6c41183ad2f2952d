import { Form } from "react-router";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import { findPost, refOf } from "#app/features/posts/find-post.server.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { pathOfPost, postAt } from "#app/lib/text/links.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { Submit } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import type { Route } from "./+types/edit-comment";

const field = fieldsOf<FormCalls["comments"]["edit"]>();

/** The page of a comment's Edit without scripts. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const post = await findPost(features, member, params);
  const comment = await features.comments.get(member, refOf(post), params.commentId);
  if (comment.author.id !== member.id) throw refuse("not-yours");
  return {
    body: comment.body,
    back: `${pathOfPost(post)}#comment-${comment.rootId ?? comment.id}`,
  };
}

export const action = formAction({
  [unnamed]: form(({ comments }) => comments.edit, {
    restores: ["body"],
    to: ({ params }, { id }) => `${postAt(params)}?comment=${id}#comment-${id}`,
  }),
});

export default function EditComment({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <ScreenTitle>{words.editYours}</ScreenTitle>
      <Form method="post" noValidate className="grid gap-4 px-4">
        <TextArea
          name={field("body")}
          data-completes=""
          label={words.yours}
          required
          defaultValue={actionData?.typed.body ?? loaderData.body}
          limit={limits.comment}
          error={problemAt("body", actionData?.problem)}
        />
        <div className="flex items-center justify-end gap-4">
          <Link to={loaderData.back} className="link inline-flex min-h-11 items-center">
            {common.cancel}
          </Link>
          <Submit>{common.save}</Submit>
        </div>
      </Form>
    </>
  );
}
