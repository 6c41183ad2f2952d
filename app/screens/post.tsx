import { factsOf } from "#shared/photo-details.ts";
import { Comments } from "#app/features/comments/comments.tsx";
import { deletedParameter } from "#app/features/comments/deleted-words.ts";
import { readThread } from "#app/features/comments/thread.server.ts";
import { useComments } from "#app/features/comments/use-comments.ts";
import { useEdits } from "#app/features/posts/use-edits.ts";
import { PostDetail } from "#app/features/posts/post-detail.tsx";
import { useFresh } from "#app/lib/lists/use-fresh.ts";
import { appContext } from "#app/lib/context.server.ts";
import { comesBack, form, formAction } from "#app/lib/forms/form-action.server.ts";
import { postCard } from "#app/lib/page/page-card.server.ts";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import { postAt, replyParameter } from "#app/lib/text/links.ts";
import { lazyPiece, tellAway } from "#app/ui/lazy-piece.tsx";
import type { Route } from "./+types/post.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [];

const AltSuggestions = lazyPiece(
  async () =>
    (await import("#app/features/posts/alt-suggestions/alt-suggestions.tsx")).AltSuggestions,
  tellAway,
);

export async function loader({ url: { searchParams: query }, params, context }: Route.LoaderArgs) {
  const { viewer, features, publicUrl, place } = context.get(appContext);
  const asked = {
    cursor: query.get("cursor"),
    comment: query.get("comment"),
    reply: query.get(replyParameter),
  };
  const { details, ...thread } = await readThread(features, viewer, params, asked);
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

export const headers = publicPage;

/** What the forms around a post send when no script does: a comment, a like, a save. */
export const action = formAction({
  comment: form(({ comments }) => comments.add, {
    send: ({ fields, query }) => ({ body: { ...fields, replyTo: query.get(replyParameter) } }),
    keeps: ["body"],
    visitor: ({ fields, params, query }) =>
      withDraft(postAt(params), query.get(replyParameter), fields["body"]),
    to: ({ params, query }, { id }) =>
      `${postAt(params)}${query.has(replyParameter) ? `?comment=${id}` : ""}#comment-${id}`,
  }),
  like: form(({ posts }) => posts.like, comesBack),
  unlike: form(({ posts }) => posts.unlike, comesBack),
  save: form(({ posts }) => posts.save, comesBack),
  unsave: form(({ posts }) => posts.unsave, comesBack),
  "like-comment": form(({ comments }) => comments.like, comesBack),
  "unlike-comment": form(({ comments }) => comments.unlike, comesBack),
});

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
      <Comments
        {...props}
        post={post}
        comments={comments}
        returned={returned ?? { typed: { body: draft } }}
      />
    </div>
  );
}
