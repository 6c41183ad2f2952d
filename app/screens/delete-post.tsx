import * as words from "#messages/posts.json";
import { findOwnPost } from "#app/features/posts/find-post.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { ConfirmPage } from "#app/ui/confirm-page.tsx";
import type { Route } from "./+types/delete-post";

/** The page of Delete without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { back: pathOfPost(await findOwnPost(features, member, params)) };
}

export const action = formAction({
  [unnamed]: form(({ posts }) => posts.remove, { to: "/profile" }),
});

export default function DeletePost({ loaderData: { back } }: Route.ComponentProps) {
  return (
    <ConfirmPage question={words.deletePost} back={back}>
      {words.deletionNote}
    </ConfirmPage>
  );
}
