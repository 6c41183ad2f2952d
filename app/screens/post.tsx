import { PostDetail } from "#app/features/post-card/post-detail.tsx";
import { appContext } from "#app/lib/context.ts";
import { orNotFound, orRefusalPage } from "#app/lib/refusals.ts";
import type { Route } from "./+types/post.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  // Numbers are written one way only: /post/ana/07 is no address.
  const number = /^[1-9]\d{0,8}$/.test(params.number) ? Number(params.number) : 0;
  const post = number
    ? await orRefusalPage(features.posts.get(viewer, params.address, number))
    : null;
  return { post: orNotFound(post), viewerId: viewer?.id ?? null };
}

export default function Post({ loaderData: { post, viewerId } }: Route.ComponentProps) {
  return <PostDetail post={post} viewerId={viewerId} />;
}
