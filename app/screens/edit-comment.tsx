import { data, Form, Link, redirect } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { findPost, refOf } from "#app/features/posts/find-post.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import {
  orRefusalPage,
  refusalPage,
  refusedInit,
  requireMember,
  retryAfterHeaders,
} from "#app/lib/refusals.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { Button } from "#app/ui/button.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import type { Route } from "./+types/edit-comment.ts";

/** Where a comment's Edit leads without scripts. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const post = await orRefusalPage(findPost(features, member, params));
  const comment = await orRefusalPage(features.comments.get(member, refOf(post), params.comment));
  if (comment.author.id !== member.id) throw refusalPage(refuse("not-yours"));
  return {
    body: comment.body,
    back: `${pathOfPost(post)}#comment-${comment.rootId ?? comment.id}`,
  };
}

/** Only Retry-After, where too much was written. */
export const headers = retryAfterHeaders;

export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const member = requireMember({ viewer });
  const { fields } = await orRefusalPage(readForm(request));
  const post = await orRefusalPage(findPost(features, member, params));
  const body = fields.body ?? "";
  try {
    const comment = await features.comments.edit(member, refOf(post), params.comment, body);
    return redirect(`${pathOfPost(post)}?comment=${comment.id}#comment-${comment.id}`);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return data({ body, problem: error.fields?.["body"] ?? error.message }, refusedInit(error));
  }
}

export default function EditComment({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageTitle>Edit your comment</PageTitle>
      <Form method="post" noValidate className="grid gap-4 px-4">
        <TextArea
          name="body"
          data-completes=""
          label="Your comment"
          required
          defaultValue={actionData?.body ?? loaderData.body}
          limit={limits.comment}
          error={actionData?.problem}
        />
        <div className="flex items-center justify-end gap-4">
          <Link to={loaderData.back} className="link inline-flex min-h-11 items-center">
            Cancel
          </Link>
          <Button type="submit" look="primary">
            Save
          </Button>
        </div>
      </Form>
    </>
  );
}
