import { decimalOf } from "#server/platform/db/decimal-ids.ts";
import { accountEntity } from "#server/mastodon/entities/accounts.ts";
import {
  isoTime,
  mentionEntity,
  statusUri,
  tagUrl,
  toHtml,
  type Named,
} from "#server/mastodon/entities/content.ts";
import { mediaEntity } from "#server/mastodon/entities/media.ts";
import { lookUpAccounts, type AccountLookup } from "#server/mastodon/entities/account-lookup.ts";
import type { Relations } from "#server/features/people/index.ts";
import {
  postItem,
  type ImagePasses,
  type PlacedComment,
  type PostOrComment,
  type PostWithAuthor,
} from "#server/features/posts/index.ts";
import { visibilityOf, type Visibility } from "#server/mastodon/visibility.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { tagsOf } from "#shared/tags.ts";
import type { ImageBases } from "#shared/image-urls.ts";
import type { FeedPost, ImageView, PostView, Viewer } from "#shared/views.ts";

type Deps = ImageBases & {
  features: {
    relations: Pick<Relations, "details" | "named">;
    imagePasses: Pick<ImagePasses, "issue">;
  };
};
/** What a status is made with; `holder` is the app's token that it is answered to. */
type Making = Pick<Deps, "publicUrl" | "imagesUrl" | "features"> & { holder: string | null };

type Mentioned = { id: string; username: string };

export type Status = ReturnType<typeof statusEntity>;

/**
 * The statuses of these posts and comments, in their order; in one round trip for all their accounts, and a
 * second one if somebody is mentioned. Those of an account deleted meanwhile are left out. `holder` is the
 * token for which images that are not for everyone get a pass.
 */
export async function statusEntities(
  deps: Deps,
  viewer: Viewer | null,
  shown: readonly PostOrComment[],
  holder = viewer?.sessionId ?? null,
): Promise<Status[]> {
  if (shown.length === 0) return [];
  const making = { ...deps, holder };
  const ids = new Set(shown.map((one) => writerOf(one).id));
  const details = await deps.features.relations.details(viewer, [...ids]);
  const lookup = await lookUpAccounts(deps.features, viewer, details, shown.flatMap(namesIn));
  return shown.flatMap((one) =>
    lookup.details.has(writerOf(one).id) ? [statusEntity(making, one, lookup)] : [],
  );
}

/** The same for posts that came with their authors: nothing more has to be asked. */
export function writtenEntities(
  deps: Deps,
  viewer: Viewer | null,
  posts: readonly PostWithAuthor[],
): Status[] {
  const making = { ...deps, holder: viewer?.sessionId ?? null };
  const all = posts.flatMap(({ named, namedInBio }) => [...named, ...namedInBio]);
  const lookup: AccountLookup = {
    details: new Map(posts.map(({ writer }) => [writer.account.id, writer])),
    named: new Map(all.map(({ written, id, username }) => [written, { id, username }])),
  };
  return posts.map(({ post }) => statusEntity(making, postItem(post), lookup));
}

/** A comment's is that of its post. */
export function visibilityOfOne(one: PostOrComment): Visibility {
  const { audience, private: isPrivate } = one.kind === "post" ? one.post : one.placed;
  return visibilityOf({ audience, isPrivate });
}

const writerOf = (one: PostOrComment) =>
  one.kind === "post" ? one.post.author : one.placed.comment.author;
const namesIn = (one: PostOrComment) =>
  one.kind === "post" ? one.post.mentions : one.placed.comment.mentions;

/** docs.joinmastodon.org/entities/Status */
function statusEntity(urls: Making, one: PostOrComment, { details, named }: AccountLookup) {
  const writer = details.get(writerOf(one).id);
  if (!writer) throw new Error("a status without its writer");
  const own = one.kind === "post" ? postParts(urls, one.post) : commentParts(urls, one.placed);
  const { text, answered, ...parts } = own;
  return {
    ...parts,
    account: accountEntity(urls, writer, named),
    content: toHtml(text, { ...urls, named }),
    visibility: visibilityOfOne(one),
    reblog: null,
    application: null,
    mentions: mentionsOf(text, answered, named).map((who) => mentionEntity(urls.publicUrl, who)),
    tags: tagsOf(text).map((name) => ({ name, url: tagUrl(urls.publicUrl, name) })),
    emojis: [],
    reblogs_count: 0,
    card: null,
    poll: null,
    reblogged: false,
    muted: false,
    pinned: false,
    filtered: [],
  };
}

/**
 * Whom the words name, with the same rules as notifications and links (an email address has an @ and mentions
 * nobody), after the one who is answered: Tusky takes a mention that names nobody for a new post
 * (entity/Notification.kt, rewriteToStatusTypeIfNeeded, of its commit 43ae0bb).
 */
function mentionsOf(text: string, answered: Mentioned | null, named: Named): Mentioned[] {
  const inText = mentionedIn(text).flatMap((name) => named.get(name) ?? []);
  const all = [...(answered ? [answered] : []), ...inText];
  return [...new Map(all.map((who) => [who.id, who])).values()];
}

function postParts(making: Making, post: FeedPost | PostView) {
  const { publicUrl, features, holder } = making;
  const withPass = (image: ImageView): ImageView =>
    image.gated && holder !== null
      ? { ...image, pass: features.imagePasses.issue(holder, image.key) }
      : image;
  return {
    id: decimalOf(post.id),
    created_at: isoTime(post.createdAt),
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    uri: statusUri(publicUrl, post.id),
    url: `${publicUrl}/post/${post.author.username}/${post.number}`,
    replies_count: post.commentCount,
    favourites_count: post.likeCount,
    edited_at: post.editedAt === null ? null : isoTime(post.editedAt),
    text: post.caption,
    sensitive: post.sensitive,
    spoiler_text: post.warning ?? "",
    language: post.language,
    media_attachments: post.pictures.map((image) => mediaEntity(making, withPass(image))),
    favourited: post.liked,
    bookmarked: post.saved,
    answered: null,
  };
}

function commentParts({ publicUrl }: ImageBases, placed: PlacedComment) {
  const { comment, postId, authorId, authorUsername, number } = placed;
  const { id, rootId } = comment;
  const answered =
    rootId === null
      ? { id: authorId, username: authorUsername }
      : { id: placed.starterId, username: placed.starterUsername };
  return {
    id: decimalOf(id),
    created_at: isoTime(comment.createdAt),
    in_reply_to_id: decimalOf(rootId ?? postId),
    in_reply_to_account_id: decimalOf(answered.id),
    uri: statusUri(publicUrl, id),
    url: `${publicUrl}/post/${authorUsername}/${number}?comment=${id}#comment-${id}`,
    replies_count: comment.replyCount,
    favourites_count: comment.likeCount,
    edited_at: comment.editedAt === null ? null : isoTime(comment.editedAt),
    text: comment.body,
    sensitive: false,
    spoiler_text: "",
    language: comment.language,
    media_attachments: [],
    favourited: comment.liked,
    bookmarked: false,
    answered: answered.id === comment.author.id ? null : answered,
  };
}
