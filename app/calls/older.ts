import { refuse } from "#shared/errors.ts";
import { answerJson } from "#app/calls/answer-json.ts";
import { readChats } from "#app/features/chat/read-chats.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/older.ts";

/**
 * GET ?of={account id}&post={post id}&q={query}&cursor= → the next page of a list, as the feature
 * answers it. Comments also by `after={comment id}`, and which of them are there still by
 * `from={comment id}&to={comment id}`.
 */
export function loader({ request, params, context }: Route.LoaderArgs) {
  const { viewer, features, client } = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const cursor = query.get("cursor");
  const of = query.get("of") ?? "";
  return answerJson(async () => {
    switch (params.list) {
      case "home":
        if (!viewer) throw refuse("sign-in-required");
        return features.feed.home(viewer, cursor);
      case "photos":
        return features.posts.photosOf(viewer, of, cursor);
      case "texts":
        return features.posts.textsOf(viewer, of, cursor);
      case "followers":
        return features.follows.followers(viewer, of, cursor);
      case "following":
        return features.follows.following(viewer, of, cursor);
      case "comments": {
        const ref = { authorId: of, postId: query.get("post") ?? "" };
        const after = query.get("after");
        const from = query.get("from");
        if (from !== null) {
          return features.comments.standing(viewer, ref, { from, to: query.get("to") ?? "" });
        }
        return after === null
          ? features.comments.list(viewer, ref, cursor)
          : features.comments.after(viewer, ref, after);
      }
      case "saved-photos":
      case "saved-texts":
        if (!viewer) throw refuse("sign-in-required");
        return features.bookmarks.list(
          viewer,
          params.list === "saved-photos" ? "photos" : "texts",
          cursor,
        );
      case "blocked":
      case "muted":
        if (!viewer) throw refuse("sign-in-required");
        return features.blocks[params.list](viewer, cursor);
      case "notifications":
      case "mentions": {
        if (!viewer) throw refuse("sign-in-required");
        const which = params.list === "mentions" ? "mentions" : "all";
        return (await features.notifications.open(viewer, which, cursor)).page;
      }
      case "chats":
        if (!viewer) throw refuse("sign-in-required");
        return readChats(features.chat, viewer, cursor);
      case "people":
        return features.search.accounts(viewer, query.get("q") ?? "", cursor, client);
      default:
        throw refuse("not-found");
    }
  });
}
