import { decimalOf } from "#server/db/decimal-ids.ts";
import { accountEntity } from "#server/mastodon/entities/accounts.ts";
import { isoTime, profileUrl, tagUrl, toHtml } from "#server/mastodon/entities/content.ts";
import { mediaEntity } from "#server/mastodon/entities/media.ts";
import { peopleOf, type People } from "#server/mastodon/entities/people.ts";
import type { Relations } from "#server/features/people/index.ts";
import {
  shownPost,
  type PlacedComment,
  type Shown,
  type WrittenPost,
} from "#server/features/posts/index.ts";
import { mentionedIn } from "#shared/mentions.ts";
import { tagsOf } from "#shared/tags.ts";
import type { FeedPost, PostView, Viewer } from "#shared/views.ts";

type Place = { publicUrl: string; picturesUrl: string };
type Deps = Place & { features: { relations: Pick<Relations, "details" | "named"> } };

export type Status = ReturnType<typeof statusEntity>;

/**
 * The statuses of these, in their order; in one round trip for all their people, and a second one where
 * somebody is named. Who went away meanwhile takes theirs along.
 */
export async function statusEntities(
  deps: Deps,
  viewer: Viewer | null,
  shown: readonly Shown[],
): Promise<Status[]> {
  if (shown.length === 0) return [];
  const ids = new Set(shown.map((one) => writerOf(one).id));
  const details = await deps.features.relations.details(viewer, [...ids]);
  const people = await peopleOf(deps.features, viewer, details, shown.flatMap(namesIn));
  return shown.flatMap((one) =>
    people.details.has(writerOf(one).id) ? [statusEntity(deps, one, people)] : [],
  );
}

/** The same of posts that came with their authors: nothing is left to be asked. */
export function writtenEntities(place: Place, posts: readonly WrittenPost[]): Status[] {
  const all = posts.flatMap(({ named, namedInBio }) => [...named, ...namedInBio]);
  const people: People = {
    details: new Map(posts.map(({ writer }) => [writer.account.id, writer])),
    named: new Map(all.map(({ written, id, username }) => [written, { id, username }])),
  };
  return posts.map(({ post }) => statusEntity(place, shownPost(post), people));
}

const writerOf = (one: Shown) =>
  one.kind === "post" ? one.post.author : one.placed.comment.author;
const namesIn = (one: Shown) =>
  one.kind === "post" ? one.post.mentions : one.placed.comment.mentions;

/** docs.joinmastodon.org/entities/Status */
function statusEntity(place: Place, one: Shown, { details, named }: People) {
  const writer = details.get(writerOf(one).id);
  if (!writer) throw new Error("a status without its writer");
  const own = one.kind === "post" ? postParts(place, one.post) : commentParts(place, one.placed);
  const { text, ...parts } = own;
  return {
    ...parts,
    uri: own.url,
    account: accountEntity(place, writer, named),
    content: toHtml(text, { ...place, named }),
    visibility: "public" as const,
    sensitive: false,
    spoiler_text: "",
    reblog: null,
    application: null,
    language: null,
    // As they are told and linked: an address of mail has an @ and names nobody.
    mentions: mentionedIn(text).flatMap((name) => {
      const who = named.get(name);
      if (!who) return [];
      const { id, username } = who;
      const url = profileUrl(place.publicUrl, id);
      return [{ id: decimalOf(id), username, acct: username, url }];
    }),
    tags: tagsOf(text).map((name) => ({ name, url: tagUrl(place.publicUrl, name) })),
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

function postParts({ publicUrl, picturesUrl }: Place, post: FeedPost | PostView) {
  return {
    id: decimalOf(post.id),
    created_at: isoTime(post.createdAt),
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    url: `${publicUrl}/post/${post.author.username}/${post.number}`,
    replies_count: post.commentCount,
    favourites_count: post.likeCount,
    edited_at: post.editedAt === null ? null : isoTime(post.editedAt),
    text: post.caption,
    media_attachments: post.pictures.map((picture) => mediaEntity(picturesUrl, picture)),
    favourited: post.liked,
    bookmarked: post.saved,
  };
}

function commentParts({ publicUrl }: Place, placed: PlacedComment) {
  const { comment, postId, authorId, authorUsername, number, starterId } = placed;
  const { id, rootId } = comment;
  return {
    id: decimalOf(id),
    created_at: isoTime(comment.createdAt),
    in_reply_to_id: decimalOf(rootId ?? postId),
    in_reply_to_account_id: decimalOf(rootId === null ? authorId : starterId),
    url: `${publicUrl}/post/${authorUsername}/${number}?comment=${id}#comment-${id}`,
    replies_count: comment.replyCount,
    favourites_count: comment.likeCount,
    edited_at: comment.editedAt === null ? null : isoTime(comment.editedAt),
    text: comment.body,
    media_attachments: [],
    favourited: comment.liked,
    bookmarked: false,
  };
}
