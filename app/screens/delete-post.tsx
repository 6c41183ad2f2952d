import { findOwnPost } from "#app/features/posts/find-post.server.ts";
import { whatGoes } from "#app/features/posts/what-goes.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { AskPage } from "#app/ui/ask-page.tsx";
import type { Route } from "./+types/delete-post.ts";

/** Where Delete leads without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { back: pathOfPost(await findOwnPost(features, member, params)) };
}

export const action = formAction({
  [unnamed]: form(({ posts }) => posts.remove, { to: "/profile" }),
});

export default function DeletePost({ loaderData: { back } }: Route.ComponentProps) {
  return (
    <AskPage question="Delete this post?" back={back}>
      {whatGoes}
    </AskPage>
  );
}
