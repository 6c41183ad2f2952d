import { maySee, mayMeet } from "#server/test/audiences/oracle.ts";
import { addressOf } from "#server/test/audiences/post-surfaces.ts";
import { ofEach, orNothing, type Surfaces } from "#server/test/audiences/surface.ts";
import { refOf } from "#server/test/audiences/world.ts";

/** What the rule refuses is refused as what never was; asked only of posts that the viewer may not see. */
export const refusalSurfaces: Surfaces = {
  "acts on a post that one may not see": {
    membersOnly: true,
    shows: (look) =>
      ofEach(
        look.posts.filter((post) => !maySee(look.state, look.who, post)),
        async (post) => {
          const { on, world, viewer } = look;
          const ref = refOf(world, post);
          const [author, number] = addressOf(look, post);
          const [comment] = post.comments;
          const attempts: Record<string, () => Promise<unknown>> = {
            like: () => on.likes.like(viewer, ref),
            unlike: () => on.likes.unlike(viewer, ref),
            save: () => on.bookmarks.save(viewer, ref),
            comment: () => on.comments.add(viewer, ref, "Words", null),
            "like a comment": () => on.commentLikes.like(viewer, ref, comment?.id ?? ref.postId),
            describe: () =>
              on.altSuggestions.suggest(viewer, author, number, { key: "any", alt: "A" }),
            "comment, as documented": () =>
              on.threads.add(viewer, { author, postId: number, comment: "Words" }),
            // blocks do not prevent reports
            report: async () => {
              if (!mayMeet(look.state, look.who, post.author)) return null;
              const reported = { kind: "post", author, number };
              return on.reports.report(viewer, reported, { reason: "spam", words: "" });
            },
            "report a comment": async () => {
              if (!comment || !mayMeet(look.state, look.who, post.author)) return null;
              const reported = { kind: "comment", author, number, commentId: comment.id };
              return on.reports.report(viewer, reported, { reason: "spam", words: "" });
            },
          };
          return ofEach(Object.entries(attempts), async ([name, attempt]) =>
            (await orNothing(attempt())) === null ? [] : [`${name} ${post.id}`],
          );
        },
      ),
    expected: () => [],
  },
};
