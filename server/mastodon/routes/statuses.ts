import { createHash } from "node:crypto";
import { decimalOf } from "#server/db/decimal-ids.ts";
import { withLocalNames } from "#server/mastodon/addresses.ts";
import { mediaIdOf, readFocus } from "#server/mastodon/entities/media.ts";
import { isoTime, toHtml } from "#server/mastodon/entities/content.ts";
import {
  peopleOf,
  shownComment,
  shownPost,
  statusEntities,
  type Shown,
} from "#server/mastodon/entities/statuses.ts";
import { accountEntity } from "#server/mastodon/entities/accounts.ts";
import type { Call, Face, FaceDeps, MemberCall } from "#server/mastodon/face.ts";
import { waitingPicture } from "#server/mastodon/routes/media.ts";
import { linkRange, rangeIn } from "#server/mastodon/lists.ts";
import { refuse } from "#shared/errors.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

/** docs.joinmastodon.org/methods/statuses */
export function statusRoutes(face: Face, deps: FaceDeps): void {
  const { features, publicUrl } = deps;
  const { references, relations, posts, comments, commentLikes, likes, bookmarks } = features;
  const place = { ...deps, relations };

  /** A post or a comment that the viewer may see. Refuses with not-found. */
  async function find(viewer: Viewer | null, id: string): Promise<Shown> {
    const ref = await references.find(id);
    if (!ref) throw refuse("not-found");
    const { authorId, postId, commentId } = ref;
    if (commentId !== null) {
      const [placed] = await references.comments(viewer, [{ authorId, postId, commentId }]);
      if (!placed) throw refuse("not-found");
      return shownComment(placed);
    }
    const [post] = await references.posts(viewer, [{ authorId, id: postId }]);
    if (!post) throw refuse("not-found");
    return shownPost(post);
  }

  async function entity(viewer: Viewer | null, one: Shown) {
    const [status] = await statusEntities(place, viewer, [one]);
    if (!status) throw refuse("not-found");
    return status;
  }

  const again = async (viewer: Viewer, id: string) => entity(viewer, await find(viewer, id));
  const readable = { who: "anybody", scope: "read:statuses" } as const;

  function textIn(input: Call["input"]): string | undefined {
    const text = input.text("status");
    return text === undefined ? undefined : withLocalNames(text, publicUrl);
  }

  face.get("/api/v1/statuses/:id", readable, async ({ viewer, part }) =>
    entity(viewer, await find(viewer, part("id"))),
  );

  face.get("/api/v1/statuses", readable, async ({ viewer, input }) => {
    const wanted = input.list("id").slice(0, 40);
    const refs = await references.findAll(wanted);
    const found = wanted.flatMap((id) => refs.get(id) ?? []);
    const [ofPosts, ofComments] = await Promise.all([
      references.posts(
        viewer,
        found.flatMap(({ authorId, postId, commentId }) =>
          commentId === null ? [{ authorId, id: postId }] : [],
        ),
      ),
      references.comments(
        viewer,
        found.flatMap(({ commentId, ...ref }) =>
          commentId === null ? [] : [{ ...ref, commentId }],
        ),
      ),
    ]);
    const byId = new Map<string, Shown>([
      ...ofPosts.map((post) => [post.id, shownPost(post)] as const),
      ...ofComments.map((placed) => [placed.comment.id, shownComment(placed)] as const),
    ]);
    const asked = found.flatMap(({ postId, commentId }) => byId.get(commentId ?? postId) ?? []);
    return statusEntities(place, viewer, asked);
  });

  face.get("/api/v1/statuses/:id/context", readable, async ({ viewer, part }) => {
    const one = await find(viewer, part("id"));
    const under = await references.under(viewer, refOf(one));
    if (one.kind === "post") {
      const descendants = await statusEntities(place, viewer, under.map(shownComment));
      return { ancestors: [], descendants };
    }
    const { id, rootId } = one.placed.comment;
    const root = under.filter(({ comment }) => comment.id === rootId);
    const replies = under.filter(({ comment }) => comment.rootId === id);
    const { authorId, postId } = refOf(one);
    const above = await references.posts(viewer, [{ authorId, id: postId }]);
    const [ancestors, descendants] = await Promise.all([
      statusEntities(place, viewer, [...above.map(shownPost), ...root.map(shownComment)]),
      statusEntities(place, viewer, replies.map(shownComment)),
    ]);
    return { ancestors, descendants };
  });

  face.member("get", "/api/v1/statuses/:id/source", "read:statuses", async ({ viewer, part }) => {
    const one = await find(viewer, part("id"));
    return { id: part("id"), text: textOf(one), spoiler_text: "" };
  });

  /** What it says now, and to its author what it said before: nobody else is told that here. */
  face.get("/api/v1/statuses/:id/history", readable, async ({ viewer, part }) => {
    const one = await find(viewer, part("id"));
    const { account, content, media_attachments, emojis, created_at, edited_at } = await entity(
      viewer,
      one,
    );
    const shared = { account, emojis, spoiler_text: "", sensitive: false, poll: null };
    const now = { ...shared, content, media_attachments, created_at: edited_at ?? created_at };
    if (one.kind === "comment" || !one.post.mine || !viewer) return [now];
    const { author, number } = one.post;
    const earlier = await posts.earlierVersions(viewer, author.username, number);
    let since = created_at;
    const before = earlier
      .toSorted((a, b) => a.replacedAt - b.replacedAt)
      .map(({ caption, replacedAt }) => {
        const version = {
          ...shared,
          content: toHtml(caption, { publicUrl, named: new Map() }),
          media_attachments: [],
          created_at: since,
        };
        since = isoTime(replacedAt);
        return version;
      });
    return [...before, now];
  });

  face.get("/api/v1/statuses/:id/favourited_by", readable, async (call) => {
    const one = await find(call.viewer, call.part("id"));
    // Who likes a comment is nowhere shown.
    if (one.kind === "comment") return [];
    const range = rangeIn(call, call.input.count("limit", 40, 80));
    const page = await likes.between(call.viewer, refOf(one), range);
    linkRange(call, publicUrl, page);
    const ids = page.items.map(({ id }) => id);
    const details = await relations.details(call.viewer, ids);
    const { named } = await peopleOf(place, call.viewer, details);
    return details.map((account) => accountEntity(deps, account, named));
  });

  // There are no boosts, quotes and previews of addresses.
  for (const [name, nothing] of [
    ["reblogged_by", []],
    ["quotes", []],
    ["card", {}],
  ] as const) {
    face.get(`/api/v1/statuses/:id/${name}`, readable, async ({ viewer, part }) => {
      await find(viewer, part("id"));
      return nothing;
    });
  }

  face.member("post", "/api/v1/statuses", "write:statuses", async (call) => {
    const { viewer, input } = call;
    refuseWhatIsNotOffered(input);
    const text = textIn(input) ?? "";
    const unexpected = await unexpectedIn(call, text);
    if (unexpected.length > 0) {
      const error = "This would mention people who are not among those that you allowed.";
      return call.reply.status(422).send({ error, unexpected_accounts: unexpected });
    }
    const clientKey = keyOf(call);
    const answered = input.text("in_reply_to_id");
    if (answered)
      return reply(viewer, { answered, text, clientKey, media: input.list("media_ids") });
    const pictures = await picturesOf(viewer, input.list("media_ids"));
    const post = { caption: text, pictures, timeZone: "UTC", clientKey };
    const { id } = await posts.publish(viewer, post);
    const [made] = await references.posts(viewer, [{ authorId: viewer.id, id }]);
    if (!made) throw refuse("not-found");
    return entity(viewer, shownPost(made));
  });

  /**
   * Whom a text names beside those of `allowed_mentions`, where that is sent: an app's way to make sure that
   * nobody else is told.
   */
  async function unexpectedIn({ viewer, input }: MemberCall, text: string) {
    if (!input.has("allowed_mentions")) return [];
    const allowed = new Set([...input.list("allowed_mentions"), decimalOf(viewer.id)]);
    const named = await relations.named(viewer, mentionedIn(text));
    const ids = new Set(named.flatMap(({ id }) => (allowed.has(decimalOf(id)) ? [] : [id])));
    const details = await relations.details(viewer, [...ids]);
    const people = await peopleOf(place, viewer, details);
    return details.map((account) => accountEntity(deps, account, people.named));
  }

  /** A reply is a comment: words alone, of a comment's length. */
  async function reply(
    viewer: Viewer,
    {
      answered,
      text,
      clientKey,
      media,
    }: { answered: string; text: string; clientKey: string | null; media: string[] },
  ) {
    if (media.length > 0) {
      throw refuse("not-offered", { message: "Replies here are words alone, without photos." });
    }
    const one = await find(viewer, answered);
    const ref = refOf(one);
    const replyTo = one.kind === "comment" ? one.placed.comment.id : null;
    const { id } = await comments.add(viewer, ref, text, clientKey, replyTo);
    return again(viewer, decimalOf(id));
  }

  /** Sent pictures, and those of a post that is there, by their ids in this face. */
  async function picturesOf(viewer: Viewer, ids: readonly string[]) {
    if (ids.length > limits.picturesPerPost) throw refuse("too-many-pictures");
    const pictures = [];
    for (const id of ids) {
      const found = await waitingPicture(deps, viewer, id);
      if (!found) throw refuse("picture-unknown");
      pictures.push({ imageId: found.id, alt: found.picture.alt });
    }
    return pictures;
  }

  face.member("put", "/api/v1/statuses/:id", "write:statuses", async (call) => {
    const { viewer, input, part } = call;
    refuseWhatIsNotOffered(input);
    const one = await find(viewer, part("id"));
    if (one.kind === "comment") {
      const text = textIn(input) ?? one.placed.comment.body;
      if (input.list("media_ids").length > 0) {
        throw refuse("not-offered", { message: "Replies here are words alone, without photos." });
      }
      await comments.edit(viewer, refOf(one), one.placed.comment.id, text);
      return again(viewer, part("id"));
    }
    const { author, number, version } = one.post;
    const changed = input.has("media_ids") || input.records("media_attributes").length > 0;
    const pictures = changed ? await keptPictures(viewer, one.post, call) : undefined;
    await posts.edit(viewer, author.username, number, {
      version,
      ...(input.has("status") && { caption: textIn(input) ?? "" }),
      ...(pictures && { pictures }),
    });
    return again(viewer, part("id"));
  });

  async function keptPictures(
    viewer: Viewer,
    post: Pick<FeedPost, "pictures">,
    { input }: Pick<Call, "input">,
  ) {
    const changes = new Map(
      input.records("media_attributes").map(({ id = "", description, focus }) => {
        const focalPoint = readFocus(focus);
        const alt = description === undefined ? {} : { alt: description };
        return [id, { ...alt, ...(focalPoint && { focalPoint }) }];
      }),
    );
    const shown = new Map(post.pictures.map((picture) => [mediaIdOf(picture), picture]));
    const ids = input.has("media_ids") ? input.list("media_ids") : [...shown.keys()];
    if (ids.length > limits.picturesPerPost) throw refuse("too-many-pictures");
    const pictures = [];
    for (const id of ids) {
      const kept = shown.get(id);
      const change = changes.get(id);
      if (kept) pictures.push({ key: kept.key, ...change });
      else {
        const [added] = await picturesOf(viewer, [id]);
        if (added) pictures.push({ ...added, ...change });
      }
    }
    return pictures;
  }

  face.member("delete", "/api/v1/statuses/:id", "write:statuses", async ({ viewer, part }) => {
    const one = await find(viewer, part("id"));
    const gone = await entity(viewer, one);
    if (one.kind === "post") await posts.remove(viewer, one.post.author.username, one.post.number);
    else {
      // Whose post it is may delete a comment under it; here a status is its writer's alone.
      if (one.placed.comment.author.id !== viewer.id) throw refuse("not-yours");
      await comments.remove(viewer, refOf(one), one.placed.comment.id);
    }
    return { ...gone, text: textOf(one) };
  });

  /** What is set on a status, or withdrawn from it. */
  function toggle(
    name: string,
    scope: "write:favourites" | "write:bookmarks",
    act: (viewer: Viewer, one: Shown) => Promise<unknown>,
  ): void {
    const url = `/api/v1/statuses/:id/${name}`;
    face.member("post", url, scope, async ({ viewer, part }: MemberCall) => {
      await act(viewer, await find(viewer, part("id")));
      return again(viewer, part("id"));
    });
  }

  toggle("favourite", "write:favourites", (viewer, one) =>
    one.kind === "post"
      ? likes.like(viewer, refOf(one))
      : commentLikes.like(viewer, refOf(one), one.placed.comment.id),
  );
  toggle("unfavourite", "write:favourites", (viewer, one) =>
    one.kind === "post"
      ? likes.unlike(viewer, refOf(one))
      : commentLikes.unlike(viewer, refOf(one), one.placed.comment.id),
  );
  toggle("bookmark", "write:bookmarks", async (viewer, one) => {
    if (one.kind === "post") return bookmarks.save(viewer, refOf(one));
    throw refuse("not-offered", { message: "Only posts can be saved here, not comments." });
  });
  toggle("unbookmark", "write:bookmarks", async (viewer, one) =>
    one.kind === "post" ? bookmarks.unsave(viewer, refOf(one)) : undefined,
  );
}

const refOf = (one: Shown) =>
  one.kind === "post"
    ? { authorId: one.post.author.id, postId: one.post.id }
    : { authorId: one.placed.authorId, postId: one.placed.postId };

const textOf = (one: Shown) => (one.kind === "post" ? one.post.caption : one.placed.comment.body);

const no = (message: string) => refuse("not-offered", { message });

/** What maps to nothing here is refused, never published as something else. */
function refuseWhatIsNotOffered(input: Call["input"]): void {
  const visibility = input.text("visibility") || "public";
  if (visibility !== "public") {
    throw no(`Posts here are public: "${visibility}" isn't offered, so nothing was published.`);
  }
  const said = (name: string) => (input.text(name) ?? "") !== "";
  if (said("scheduled_at")) throw no("Posts can't be scheduled here.");
  if (input.under("poll").length > 0 || said("poll")) throw no("This server has no polls.");
  if (said("quote_id") || said("quoted_status_id")) throw no("This server has no quotes.");
  if (input.flag("sensitive") || said("spoiler_text")) {
    throw no("This server has no content warnings, so nothing was published.");
  }
}

/** Sent again with the same key, nothing happens twice. */
function keyOf({ request, caller }: MemberCall): string | null {
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return null;
  return createHash("sha256").update(`${caller.app.id}:${key}`).digest("base64url");
}
