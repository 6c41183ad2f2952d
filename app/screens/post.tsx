import { data, redirect } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { factsOf } from "#shared/photo-details.ts";
import type { Viewer } from "#shared/views.ts";
import { Comments } from "#app/features/comments/comments.tsx";
import { deletedParameter } from "#app/features/comments/deleted-words.ts";
import { addComment, readThread } from "#app/features/comments/thread.server.ts";
import { findPost, refOf } from "#app/features/posts/find-post.server.ts";
import { useComments } from "#app/features/comments/use-comments.ts";
import { useEdits } from "#app/features/posts/use-edits.ts";
import { PostDetail } from "#app/features/posts/post-detail.tsx";
import { useFresh } from "#app/lib/lists/use-fresh.ts";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { postCard } from "#app/lib/page/page-card.server.ts";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import { orRefusalPage, refusedInit, retryAfterHeaders } from "#app/lib/refusals.server.ts";
import { returnParameter, safeReturnPath, signInPath } from "#app/lib/return-path.ts";
import { replyParameter } from "#app/lib/text/links.ts";
import { lazyPiece, tellAway } from "#app/ui/lazy-piece.tsx";
import type { Route } from "./+types/post.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [];

const AltSuggestions = lazyPiece(
  async () =>
    (await import("#app/features/posts/alt-suggestions/alt-suggestions.tsx")).AltSuggestions,
  tellAway,
);

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { viewer, features, publicUrl, place } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const asked = {
    cursor: query.get("cursor"),
    comment: query.get("comment"),
    reply: query.get(replyParameter),
  };
  const { details, ...thread } = await orRefusalPage(readThread(features, viewer, params, asked));
  return {
    ...thread,
    card: postCard({ publicUrl, place }, thread.post),
    told: factsOf(details),
    viewerId: viewer?.id ?? null,
    oldest: asked.cursor === null && asked.comment === null,
    clientKey: crypto.randomUUID(),
    draft: query.get(draftParameter) ?? "",
    deleted: /^[1-9]\d{0,5}$/.exec(query.get(deletedParameter) ?? "")?.map(Number)[0] ?? 0,
  };
}

/** Carries a visitor's comment through the sign-in when no script keeps it. */
const draftParameter = "draft";

/** Words that would make an address too long are left out. */
function withDraft(path: string, reply: string | null, body = ""): string {
  const query = new URLSearchParams(reply ? { [replyParameter]: reply } : {});
  if (body) query.set(draftParameter, body);
  if (String(query).length > 3000) query.delete(draftParameter);
  return query.size > 0 ? `${path}?${query}#comments` : `${path}#comments`;
}

export const headers: Route.HeadersFunction = (args) => ({
  ...publicPage(),
  // where too much was written
  ...retryAfterHeaders(args),
});

/** What the forms around a post send when no script does: a comment, a like, a save. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const { fields } = await orRefusalPage(readForm(request));
  const path = `/post/${encodeURIComponent(params.address)}/${params.number}`;
  if (fields.intent === "comment") {
    const reply = new URL(request.url).searchParams.get(replyParameter);
    if (!viewer) throw redirect(signInPath({ pathname: withDraft(path, reply, fields.body) }));
    try {
      const { id } = await addComment(features, viewer, params, fields, reply);
      return redirect(`${path}${reply ? `?comment=${id}` : ""}#comment-${id}`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { message, fields: wrong } = error;
      const problem = { message, fields: wrong };
      return data({ body: fields.body ?? "", problem }, refusedInit(error));
    }
  }
  const back = safeReturnPath(fields[returnParameter]);
  if (!viewer) throw redirect(signInPath({ pathname: back }));
  await orRefusalPage(grant(features, viewer, params, fields));
  throw redirect(back);
}

async function grant(
  features: PageContext["features"],
  viewer: Viewer,
  where: { address: string; number: string },
  { intent, comment }: Record<string, string | undefined>,
): Promise<unknown> {
  const post = refOf(await findPost(features, viewer, where));
  const { like, unlike } = features.commentLikes;
  if (comment && intent === "like") return like(viewer, post, comment);
  if (comment && intent === "unlike") return unlike(viewer, post, comment);
  switch (intent) {
    case "like":
      return features.likes.like(viewer, post);
    case "unlike":
      return features.likes.unlike(viewer, post);
    case "save":
      return features.bookmarks.save(viewer, post);
    case "unsave":
      return features.bookmarks.unsave(viewer, post);
    default:
      throw refuse("input-invalid");
  }
}

export default function Post({ loaderData, actionData }: Route.ComponentProps) {
  return <Thread key={loaderData.post.id} {...loaderData} returned={actionData} />;
}

type ThreadProps = Route.ComponentProps["loaderData"] & {
  returned: Route.ComponentProps["actionData"];
};

function Thread({ post: asRead, comments: read, draft, told, returned, ...props }: ThreadProps) {
  const [post, setPost] = useFresh(asRead);
  useEdits([post], (parts) => setPost((shown) => ({ ...shown, ...parts })));
  const comments = useComments(post, read, props.viewerId);
  return (
    <div className="desk">
      <PostDetail
        post={{ ...post, commentCount: comments.count }}
        viewerId={props.viewerId}
        told={told}
      >
        {props.suggestions.length > 0 && (
          <AltSuggestions post={post} suggestions={props.suggestions} />
        )}
      </PostDetail>
      <Comments {...props} post={post} comments={comments} returned={returned ?? { body: draft }} />
    </div>
  );
}
