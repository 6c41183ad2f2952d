import type { PostView } from "#shared/views.ts";

/** A post in the name of a field. */
export const keyOf = ({ author, id }: Pick<PostView, "author" | "id">) => `${author.id}.${id}`;

/** The posts that fields of a form name: `in-…` those that are chosen, `was-…` those that were in it before. */
export function keysIn(fields: Record<string, string | undefined>, kind: "in" | "was") {
  return Object.keys(fields).flatMap((name) => {
    const [sort = "", key = ""] = name.split(/-(.*)/s);
    const [authorId = "", postId = ""] = key.split(".");
    return sort === kind ? [{ authorId, postId }] : [];
  });
}
