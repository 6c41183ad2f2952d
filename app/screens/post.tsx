import { factsOf } from "#shared/photo-details.ts";
import { Comments } from "#app/features/comments/comments.tsx";
import { deletedParameter } from "#app/features/comments/deletion-text.ts";
import { readPostPage } from "#app/features/comments/post-page.server.ts";
import { useComments } from "#app/features/comments/use-comments.ts";
import { useEdits } from "#app/features/posts/use-edits.ts";
import { PostDetail } from "#app/features/posts/post-detail.tsx";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { appContext } from "#app/lib/context.server.ts";
import { backToPage, form, formAction } from "#app/lib/forms/form-action.server.ts";
import { asksToSee } from "#app/lib/page/asks-to-see.server.ts";
import { postPreview } from "#app/lib/page/link-preview.server.ts";
import { publicPage } from "#app/lib/page/public-page.server.ts";
import { postAt, replyParameter } from "#app/lib/text/links.ts";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";
import type { Route } from "./+types/post";

export const meta: Route.MetaFunction = ({ loaderData }) => loaderData?.card ?? [];

const AltSuggestions = lazyComponent(
  async () =>
    (await import("#app/features/posts/alt-suggestions/alt-suggestions.tsx")).AltSuggestions,
  notifyUnreachable,
);

export async function loader({ request, url, params, context }: Route.LoaderArgs) {
  const query = url.searchParams;
  const { viewer, features, publicUrl, site } = context.get(appContext);
  const asked = {
    cursor: query.get("cursor"),
    comment: query.get("comment"),
    reply: query.get(replyParameter),
  };
  const { details, ...page } = await readPostPage(features, viewer, params, asked);
  return {
    ...page,
    card: postPreview({ publicUrl, site }, page.post),
    photoFacts: factsOf(details),
    viewerId: viewer?.id ?? null,
    shown: asksToSee(request),
    oldest: asked.cursor === null && asked.comment === null,
    clientKey: crypto.randomUUID(),
    draft: query.get(draftParameter) ?? "",
    deleted: /^[1-9]\d{0,5}$/.exec(query.get(deletedParameter) ?? "")?.map(Number)[0] ?? 0,
  };
}

/** Carries a visitor's comment through the sign-in when no script stores it. */
const draftParameter = "draft";

/** Text that would make an address too long is left out. */
function withDraft(path: string, reply: string | null, body = ""): string {
  const query = new URLSearchParams(reply ? { [replyParameter]: reply } : {});
  if (body) query.set(draftParameter, body);
  if (String(query).length > 3000) query.delete(draftParameter);
  return query.size > 0 ? `${path}?${query}#comments` : `${path}#comments`;
}

export const headers = publicPage;

/** The forms on a post's page without scripts: a comment, a like, a bookmark. */
export const action = formAction({
  comment: form(({ comments }) => comments.add, {
    send: ({ fields, query }) => ({ body: { ...fields, replyTo: query.get(replyParameter) } }),
    restores: ["body"],
    visitor: ({ fields, params, query }) =>
      withDraft(postAt(params), query.get(replyParameter), fields["body"]),
    to: ({ params, query }, { id }) =>
      `${postAt(params)}${query.has(replyParameter) ? `?comment=${id}` : ""}#comment-${id}`,
  }),
  like: form(({ posts }) => posts.like, backToPage),
  unlike: form(({ posts }) => posts.unlike, backToPage),
  save: form(({ posts }) => posts.save, backToPage),
  unsave: form(({ posts }) => posts.unsave, backToPage),
  "like-comment": form(({ comments }) => comments.like, backToPage),
  "unlike-comment": form(({ comments }) => comments.unlike, backToPage),
});

export default function Post({ loaderData, actionData }: Route.ComponentProps) {
  return <Thread key={loaderData.post.id} {...loaderData} returned={actionData} />;
}

type ThreadProps = Route.ComponentProps["loaderData"] & {
  returned: Route.ComponentProps["actionData"];
};

function Thread({
  post: asRead,
  comments: read,
  draft,
  photoFacts,
  returned,
  ...props
}: ThreadProps) {
  const [post, setPost] = useResettableState(asRead);
  useEdits([post], (parts) => setPost((shown) => ({ ...shown, ...parts })));
  const comments = useComments(post, read, props.viewerId);
  return (
    <div className="desk">
      <PostDetail
        post={{ ...post, commentCount: comments.count }}
        viewerId={props.viewerId}
        asked={props.shown}
        photoFacts={photoFacts}
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
