import { mutedWordsOf, type Matching } from "#server/features/people/index.ts";
import type {
  CommentView,
  FeedPost,
  ImageView,
  PostTile,
  PostView,
  Viewer,
} from "#shared/views.ts";

/*
 * What muted words hide where the reader did not choose the posts: posts in public lists, comments behind a
 * notice. One's own posts are never hidden, and neither is what is opened by name: a post's page, somebody's
 * profile, one's bookmarks.
 */

type Words = Pick<FeedPost, "caption" | "warning">;

/** The words of a post are its caption, its warning and the descriptions of its photos. */
const saysMuted = (
  muted: Matching,
  { caption, warning }: Words,
  photos: readonly (ImageView | null)[],
) => [caption, warning, ...photos.map((photo) => photo?.alt)].some((text) => text && muted(text));

/**
 * Which posts of a grid are hidden from the viewer; null: none is. `asked` is what they are looking for: a
 * muted word in it hides nothing here.
 */
export function hidesTile(
  viewer: Viewer | null,
  asked?: string,
): ((tile: PostTile) => boolean) | null {
  const words = viewer?.mutedWords?.filter(
    (word) => asked === undefined || mutedWordsOf({ mutedWords: [word] })?.(asked) === null,
  );
  const muted = mutedWordsOf(words ? { mutedWords: words } : null);
  if (!muted) return null;
  return (tile) =>
    tile.authorUsername !== viewer?.username && saysMuted(muted, tile, [tile.picture]);
}

/** Whether a post is hidden from a viewer with these muted words who is not its author; `asked` as above. */
export function hiddenByMutedWords(
  words: readonly string[],
  post: Words & Pick<FeedPost, "pictures">,
  asked?: string,
): boolean {
  const left =
    asked === undefined
      ? words
      : words.filter((word) => mutedWordsOf({ mutedWords: [word] })?.(asked) === null);
  const muted = mutedWordsOf({ mutedWords: [...left] });
  return muted !== null && saysMuted(muted, post, post.pictures);
}

/** Which posts of a feed are hidden from the viewer; null: none is. */
export function hidesPost(viewer: Viewer): ((post: PostView) => boolean) | null {
  const muted = mutedWordsOf(viewer);
  return muted && ((post) => !post.mine && saysMuted(muted, post, post.pictures));
}

/** A feed's post without the comments that are hidden from the viewer. */
export function withoutMutedComments(viewer: Viewer): (post: FeedPost) => FeedPost {
  const marked = markMuted(viewer);
  return (post) => ({
    ...post,
    comments: post.comments.filter((comment) => marked(comment).mutedWord === undefined),
  });
}

/** A comment as the viewer reads it: which of their muted words it contains, if any. */
export function markMuted(viewer: Viewer | null): <C extends CommentView>(comment: C) => C {
  const muted = mutedWordsOf(viewer);
  return (comment) => {
    const mutedWord = comment.author.id === viewer?.id ? null : muted?.(comment.body);
    return mutedWord ? { ...comment, mutedWord } : comment;
  };
}
