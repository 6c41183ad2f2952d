import { whatGoes } from "#app/features/posts/what-goes.ts";
import { appContext } from "#app/lib/context.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { orNotFound, orRefusalPage, requireMember } from "#app/lib/refusals.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { AskPage } from "#app/ui/ask-page.tsx";
import type { Route } from "./+types/delete-post.ts";

/** Where Delete leads without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const { address, number } = params;
  const post = orNotFound(await orRefusalPage(features.posts.get(member, address, Number(number))));
  return { back: pathOfPost(orNotFound(post.mine ? post : null)) };
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
