import { Form, redirect } from "react-router";
import { whatGoes } from "#app/features/delete-post/delete-post.tsx";
import { appContext } from "#app/lib/context.ts";
import { pathOfPost } from "#app/lib/links.ts";
import { orNotFound, orRefusalPage, requireMember } from "#app/lib/refusals.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import type { Route } from "./+types/delete-post.ts";

/** Where Delete leads without scripts: it asks first. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const { address, number } = params;
  const post = orNotFound(await orRefusalPage(features.posts.get(member, address, Number(number))));
  return { back: pathOfPost(orNotFound(post.mine ? post : null)) };
}

export async function action({ params, context }: Route.ActionArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  await orRefusalPage(features.posts.remove(member, params.address, Number(params.number)));
  throw redirect("/profile");
}

export default function DeletePost({ loaderData: { back } }: Route.ComponentProps) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>Delete · Postcard</title>
      <h1 className="text-xl font-semibold">Delete this post?</h1>
      <p className="text-muted">{whatGoes}</p>
      <Form method="post" className="flex gap-3">
        <Button type="submit" look="delete">
          OK
        </Button>
        <ButtonLink to={back}>Cancel</ButtonLink>
      </Form>
    </div>
  );
}
