import { noUndo } from "#messages/comments.json";
import { deletedParameter, deleteQuestion } from "#app/features/comments/deletion-text.ts";
import { findPost, refOf } from "#app/features/posts/find-post.server.ts";
import { pathOfPost, postAt } from "#app/lib/text/links.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { ConfirmPage } from "#app/ui/confirm-page.tsx";
import type { Route } from "./+types/delete-comment";

/** The page of a comment's Delete without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const post = await findPost(features, member, params);
  const { replyCount } = await features.comments.get(member, refOf(post), params.commentId);
  return { replyCount, back: `${pathOfPost(post)}#comments` };
}

export const action = formAction({
  [unnamed]: form(({ comments }) => comments.remove, {
    to: ({ params }, { deleted }) => `${postAt(params)}?${deletedParameter}=${deleted}#comments`,
  }),
});

export default function DeleteComment({ loaderData: { replyCount, back } }: Route.ComponentProps) {
  return (
    <ConfirmPage question={deleteQuestion(replyCount)} back={back}>
      {noUndo}
    </ConfirmPage>
  );
}
