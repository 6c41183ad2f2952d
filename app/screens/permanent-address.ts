import { redirect } from "react-router";
import { appContext } from "#app/lib/context.server.ts";
import { orNotFound } from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/permanent-address";

/**
 * /users/{id} and /posts/{id}: what apps and other servers store, since no username is in them. They lead to the
 * page as it is called now; whoever may not see it gets the answer of one that never was. A comment is found
 * under /posts, too.
 */
export async function loader({ params, pattern, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  if (pattern.includes("users")) {
    const { id } = orNotFound(await features.accounts.findById(viewer, params.id));
    throw redirect(`/search/${id}`);
  }
  throw redirect(orNotFound(await features.references.pathOf(viewer, params.id)));
}
