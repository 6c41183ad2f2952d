import { createHash } from "node:crypto";
import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { withLocalNames } from "#server/mastodon/addresses.ts";
import { mediaIdOf, readFocus } from "#server/mastodon/entities/media.ts";
import { accountEntities } from "#server/mastodon/entities/account-lookup.ts";
import { visibilityOfOne } from "#server/mastodon/entities/statuses.ts";
import type { Call, MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { unpublishedImage } from "#server/mastodon/routes/media.ts";
import { entity, shownAt, shownIn, textOf } from "#server/mastodon/routes/statuses.ts";
import { audienceFor, refuseNarrower, visibilityIn } from "#server/mastodon/visibility.ts";
import { refuseOwnWarning, veilIn } from "#server/mastodon/warnings.ts";
import { postOf, postItem, type PostOrComment } from "#server/features/posts/index.ts";
import { found, refuse } from "#shared/errors.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { limits } from "#shared/limits.ts";
import type { FeedPost, Viewer } from "#shared/views.ts";

const url = "/api/v1/statuses/:id";

/** Changes to statuses: docs.joinmastodon.org/methods/statuses */
export function publishingRoutes(router: MastodonRouter, { features }: MastodonDeps): void {
  const { likes, commentLikes, bookmarks } = features;
  router.member("post", "/api/v1/statuses", "write:statuses", publish);
  router.member("put", url, "write:statuses", edit);
  router.member("delete", url, "write:statuses", remove);

  /** What can be set on a status, or withdrawn from it. */
  function toggle(
    name: string,
    scope: "write:favourites" | "write:bookmarks",
    act: (viewer: Viewer, one: PostOrComment) => Promise<unknown>,
  ): void {
    router.member("post", `${url}/${name}`, scope, async (call) => {
      await act(call.viewer, await shownIn(call));
      return again(call);
    });
  }

  toggle("favourite", "write:favourites", (viewer, one) =>
    one.kind === "post"
      ? likes.like(viewer, postOf(one))
      : commentLikes.like(viewer, postOf(one), one.placed.comment.id),
  );
  toggle("unfavourite", "write:favourites", (viewer, one) =>
    one.kind === "post"
      ? likes.unlike(viewer, postOf(one))
      : commentLikes.unlike(viewer, postOf(one), one.placed.comment.id),
  );
  toggle("bookmark", "write:bookmarks", async (viewer, one) => {
    if (one.kind === "post") return bookmarks.save(viewer, postOf(one));
    throw no("Only posts can be saved here, not comments.");
  });
  toggle("unbookmark", "write:bookmarks", async (viewer, one) =>
    one.kind === "post" ? bookmarks.unsave(viewer, postOf(one)) : undefined,
  );
}

async function again(call: MemberCall, id = call.part("id")) {
  return entity(call, await shownAt(call, id));
}

function textIn({ deps: { publicUrl }, input }: Call): string | undefined {
  const text = input.text("status");
  return text === undefined ? undefined : withLocalNames(text, publicUrl);
}

/** Undefined where none was sent, null where an empty one was: nobody says then. */
const languageIn = (input: Call["input"]) => {
  const language = input.text("language");
  return language === undefined ? undefined : language || null;
};

/** Forms have no empty list: their way to say that there is none is one empty id. */
const mediaIn = (input: Call["input"]) => input.list("media_ids").filter((id) => id !== "");

async function publish(call: MemberCall) {
  const { deps, viewer, input } = call;
  refuseWhatIsNotOffered(input);
  const text = textIn(call) ?? "";
  const unexpected = await unexpectedIn(call, text);
  if (unexpected.length > 0) {
    const error = "This would mention people who are not among those that you allowed.";
    return call.reply.status(422).send({ error, unexpected_accounts: unexpected });
  }
  const clientKey = keyOf(call);
  const media = mediaIn(input);
  const answered = input.text("in_reply_to_id");
  if (answered) return reply(call, { answered, text, clientKey, media });
  if (media.length > limits.photosPerPost) throw refuse("too-many-pictures");
  const pictures = [];
  for (const one of media) pictures.push(await uploadedImage(call, one));
  const { posts, references } = deps.features;
  const visibility = visibilityIn(input.text("visibility"));
  const audience = visibility
    ? audienceFor(visibility, { audience: "everyone", isPrivate: false })
    : (await posts.nextAudience(viewer)).audience;
  const language = languageIn(input);
  const post = { caption: text, pictures, timeZone: "UTC", clientKey, audience, language };
  const { id } = await posts.publish(viewer, { ...post, ...veilIn(input) });
  const [made] = await references.posts(viewer, [{ authorId: viewer.id, id }]);
  return entity(call, postItem(found(made)));
}

/**
 * The accounts a text mentions beside those of `allowed_mentions`, if that is sent: an app's way to make sure
 * that nobody else is notified.
 */
async function unexpectedIn({ deps, viewer, input }: MemberCall, text: string) {
  const { relations } = deps.features;
  if (!input.has("allowed_mentions")) return [];
  const allowed = new Set([...input.list("allowed_mentions"), decimalOf(viewer.id)]);
  const named = await relations.named(viewer, mentionedIn(text));
  const ids = new Set(named.flatMap(({ id }) => (allowed.has(decimalOf(id)) ? [] : [id])));
  return accountEntities(deps, viewer, [...ids]);
}

type Reply = { answered: string; text: string; clientKey: string | null; media: string[] };

/** A reply is a comment: text only, of a comment's length. */
async function reply(call: MemberCall, { answered, text, clientKey, media }: Reply) {
  const { deps, viewer, input } = call;
  if (media.length > 0) throw no("Replies here are words alone, without photos.");
  const one = await shownAt(call, answered);
  refuseNarrower(input, visibilityOfOne(one));
  refuseOwnWarning(input, one);
  const replyTo = one.kind === "comment" ? one.placed.comment.id : null;
  const { comments } = deps.features;
  const language = languageIn(input);
  const { id } = await comments.add(viewer, postOf(one), text, clientKey, replyTo, language);
  return again(call, decimalOf(id));
}

/** An uploaded image, by its id in the Mastodon API. */
async function uploadedImage(call: MemberCall, id: string) {
  const image = await unpublishedImage(call, id);
  if (!image) throw refuse("picture-unknown");
  return { imageId: image.id, alt: image.picture.alt };
}

async function edit(call: MemberCall) {
  const { deps, viewer, input } = call;
  const { posts, comments } = deps.features;
  refuseWhatIsNotOffered(input);
  const one = await shownIn(call);
  if (one.kind === "comment") {
    const text = textIn(call) ?? one.placed.comment.body;
    if (mediaIn(input).length > 0) throw no("Replies here are words alone, without photos.");
    refuseNarrower(input, visibilityOfOne(one));
    refuseOwnWarning(input, one);
    const { id } = one.placed.comment;
    await comments.edit(viewer, postOf(one), id, text, languageIn(input));
    return again(call);
  }
  const { author, number, version } = one.post;
  const visibility = visibilityIn(input.text("visibility"));
  const now = { audience: one.post.audience, isPrivate: one.post.private };
  const audience = visibility && audienceFor(visibility, now);
  const changed = input.has("media_ids") || input.records("media_attributes").length > 0;
  const pictures = changed ? await editedImages(call, one.post) : undefined;
  await posts.edit(viewer, author.username, number, {
    version,
    ...(input.has("status") && { caption: textIn(call) ?? "" }),
    ...(pictures && { pictures }),
    // Nobody can choose `album`: it stays what it is.
    ...(audience && audience !== "album" && { audience }),
    ...veilIn(input),
    language: languageIn(input),
  });
  return again(call);
}

/** The images that the post has and the ones uploaded for it, as the call describes and orders them. */
async function editedImages(call: MemberCall, post: Pick<FeedPost, "pictures">) {
  const { input } = call;
  const changes = new Map(
    input.records("media_attributes").map(({ id = "", description, focus }) => {
      const focalPoint = readFocus(focus);
      const alt = description === undefined ? {} : { alt: description };
      return [id, { ...alt, ...(focalPoint && { focalPoint }) }];
    }),
  );
  const shown = new Map(post.pictures.map((picture) => [mediaIdOf(picture), picture]));
  const ids = input.has("media_ids") ? mediaIn(input) : [...shown.keys()];
  if (ids.length > limits.photosPerPost) throw refuse("too-many-pictures");
  const pictures = [];
  for (const id of ids) {
    const there = shown.get(id);
    const change = changes.get(id);
    const image = there ? { key: there.key } : await uploadedImage(call, id);
    pictures.push({ ...image, ...change });
  }
  return pictures;
}

async function remove(call: MemberCall) {
  const { deps, viewer } = call;
  const { posts, comments } = deps.features;
  const one = await shownIn(call);
  const gone = await entity(call, one);
  if (one.kind === "post") await posts.remove(viewer, one.post.author.username, one.post.number);
  else {
    // On our pages a post's author may delete comments under it; in the Mastodon API only a status's own
    // writer may.
    if (one.placed.comment.author.id !== viewer.id) throw refuse("not-yours");
    await comments.remove(viewer, postOf(one), one.placed.comment.id);
  }
  return { ...gone, text: textOf(one) };
}

const no = (message: string) => refuse("not-offered", { message });

/** What has no counterpart here is refused, never published as something else. */
function refuseWhatIsNotOffered(input: Call["input"]): void {
  visibilityIn(input.text("visibility"));
  const isSent = (name: string) => (input.text(name) ?? "") !== "";
  if (isSent("scheduled_at")) throw no("Posts can't be scheduled here.");
  if (input.under("poll").length > 0 || isSent("poll")) throw no("This server has no polls.");
  if (isSent("quote_id") || isSent("quoted_status_id")) throw no("This server has no quotes.");
}

/** Sent again with the same key, nothing happens twice. */
function keyOf({ request, caller }: MemberCall): string | null {
  const key = request.headers["idempotency-key"];
  if (typeof key !== "string" || key === "") return null;
  return createHash("sha256").update(`${caller.app.id}:${key}`).digest("base64url");
}
