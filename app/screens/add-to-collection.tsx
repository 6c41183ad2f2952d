import { Form } from "react-router";
import type { PostKind, PostView } from "#shared/views.ts";
import * as words from "#messages/collections.json";
import { save } from "#messages/common.json";
import { photos, texts as textPosts } from "#messages/profile.json";
import { collectionPath } from "#app/features/collections/collection-paths.ts";
import { PostBoxes } from "#app/features/collections/post-boxes.tsx";
import { tileOf } from "#app/features/feed/bookmarked-posts.tsx";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { Button, ButtonLink, Submit } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ImagesIcon, TextAlignLeftIcon } from "#app/ui/icons.ts";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { Tabs } from "#app/ui/tabs.tsx";
import type { Route } from "./+types/add-to-collection";

/** Which of what one saved is in a collection, a page at a time. */
export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const kind: PostKind = url.searchParams.get("tab") === "texts" ? "texts" : "photos";
  const [collection, { items, nextCursor }] = await Promise.all([
    features.collections.get(member, params.id),
    features.bookmarks.list(member, kind, url.searchParams.get("cursor")),
  ]);
  const refs = items.map(({ id, author }) => ({ authorId: author.id, postId: id }));
  const within = await features.collections.among(member, collection.id, refs);
  return {
    id: collection.id,
    title: collection.title,
    kind,
    nextCursor,
    posts: items.map((post) => ({
      tile: tileOf(post),
      key: keyOf(post),
      within: within.includes(post.id),
    })),
  };
}

export const action = formAction({
  [unnamed]: form(({ collections }) => collections.change, {
    // The button at the end of a page keeps what was chosen on it, and leads to the next one.
    to: ({ params, fields }) => {
      const path = collectionPath(params["id"] ?? "", fields["older"] ? "add" : undefined);
      return path + (fields["older"] ? `?${fields["older"]}` : "");
    },
    send: ({ fields }) => {
      const [chosen, before] = [keysIn(fields, "in"), keysIn(fields, "was")];
      const without = (some: typeof chosen, others: typeof chosen) =>
        some.filter(({ postId }) => !others.some((other) => other.postId === postId));
      return { body: { put: without(chosen, before), takeOut: without(before, chosen) } };
    },
  }),
});

export default function AddToCollection({ loaderData }: Route.ComponentProps) {
  const { id, title, kind, posts, nextCursor } = loaderData;
  const path = collectionPath(id, "add");
  const texts = kind === "texts";
  const older = nextCursor && new URLSearchParams({ tab: kind, cursor: nextCursor }).toString();
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[983px] lg:p-6">
      <BackLink to={collectionPath(id)}>{words.collection}</BackLink>
      <ScreenTitle title={fill(words.addTo, { title })}>
        {rich(words.addToQuoted, { title: <bdi className="wrap-anywhere">{title}</bdi> })}
      </ScreenTitle>
      <Tabs
        label={words.savedPosts}
        tabs={[
          { to: path, label: photos, icon: ImagesIcon, current: !texts },
          { to: `${path}?tab=texts`, label: textPosts, icon: TextAlignLeftIcon, current: texts },
        ]}
      />
      {posts.length === 0 ? (
        <EmptyState
          drawing="box"
          title={words.nothingSavedHere}
          action={<ButtonLink to={collectionPath(id)}>{words.backToCollection}</ButtonLink>}
        />
      ) : (
        <Form method="post" className="grid gap-4 pt-4">
          <PostBoxes posts={posts} />
          <p className="flex flex-wrap gap-2 px-4 pb-8 md:px-0">
            <Submit>{save}</Submit>
            {older && (
              <Button type="submit" name="older" value={older}>
                {words.saveThenOlder}
              </Button>
            )}
          </p>
        </Form>
      )}
    </div>
  );
}

/** A post in the name of a field. */
const keyOf = ({ author, id }: Pick<PostView, "author" | "id">) => `${author.id}.${id}`;

/** The posts that fields of a form name: `in-…` those that are chosen, `was-…` those that were in it before. */
function keysIn(fields: Record<string, string | undefined>, kind: "in" | "was") {
  return Object.keys(fields).flatMap((name) => {
    const [sort = "", key = ""] = name.split(/-(.*)/s);
    const [authorId = "", postId = ""] = key.split(".");
    return sort === kind ? [{ authorId, postId }] : [];
  });
}
