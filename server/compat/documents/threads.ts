import type { Database } from "#server/platform/db/database.ts";
import type { Comments } from "#server/features/posts/index.ts";
import { ownAddresses } from "#server/features/people/index.ts";
import { accountsAt } from "#server/compat/documents/addresses.queries.ts";
import { findAt } from "#server/compat/documents/documents.queries.ts";
import * as queries from "#server/compat/documents/post-lookups.queries.ts";
import { foldAddress, namesCaller } from "#server/compat/documents/intent.ts";
import { newestThatFit, type ImageAddresses } from "#server/compat/documents/shape.ts";
import type { DocumentedComment, SentComment } from "#shared/documents.inputs.ts";
import { found, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { largestVariant } from "#shared/image-urls.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  comments: Pick<Comments, "add" | "removeAll">;
  addressesFor: ImageAddresses;
};

/** Comments as the documented calls describe them: one thread under each post. */
export function createCommentThreads({ db, comments, addressesFor }: Deps) {
  const imageAddress = addressesFor(null);
  /** The newest ones, newest last. Refuses with not-found. */
  async function ofPost(
    viewer: Viewer | null,
    address: string,
    number: number,
  ): Promise<DocumentedComment[]> {
    const post = await findPost(viewer, address, number);
    const { comments: limit, bytes } = limits.documents;
    const viewerId = viewer?.id ?? null;
    const rows = await queries.commentRows(db, { ...post, viewerId, limit });
    const documents = rows.reverse().map(({ id, body, name, ...writer }) => ({
      _id: id,
      comment: body,
      commentAccount: writer.address,
      commentImg: imageAddress(writer.image),
      commentName: name,
      ...threadOf(post),
    }));
    return newestThatFit(documents, bytes);
  }

  /**
   * Adds a comment of the caller's own. Refuses with not-found, and with not-yours one in
   * another's name.
   */
  async function add(viewer: Viewer, sent: SentComment): Promise<DocumentedComment> {
    const post = await findPost(viewer, sent.author, sent.postId);
    if (sent.commentAccount) {
      const own = await ownAddresses(db, viewer.id);
      if (!namesCaller([sent.commentAccount], own)) throw refuse("not-yours");
    }
    const { authorId, postId } = post;
    const view = await comments.add(viewer, { authorId, postId }, sent.comment, null);
    const { avatar, name } = view.author;
    return {
      _id: view.id,
      comment: view.body,
      commentAccount: viewer.email,
      commentImg: imageAddress(avatar && { key: avatar.key, width: largestVariant(avatar).width }),
      commentName: name,
      ...threadOf(post),
    };
  }

  /**
   * Empties the thread that a commentId names: only its post's author may. The address and the
   * number in it are read by removing one of the caller's own addresses. A thread that was deleted
   * with its post is empty already. Refuses with conflict an id that fits two posts of the caller,
   * with not-yours one of somebody else's, with not-found one of nobody's.
   */
  async function clear(viewer: Viewer, commentId: string): Promise<{ deletedCount: number }> {
    const splits = numberedAddresses(commentId);
    const own = await ownAddresses(db, viewer.id);
    const numbers = splits.filter(({ address }) => own.has(address)).map(({ number }) => number);
    const posts = await Promise.all(
      [...new Set(numbers)].map((number) => postAt(viewer.id, viewer.id, number)),
    );
    const [post, ...others] = posts.filter((found) => found !== null);
    if (others.length > 0) throw refuse("conflict");
    if (post) {
      const { authorId, postId } = post;
      return { deletedCount: await comments.removeAll(viewer, { authorId, postId }) };
    }
    const lastNumber = await queries.lastNumberOf(db, viewer.id);
    if (numbers.some((number) => number <= lastNumber)) return { deletedCount: 0 };
    for (const { position, id } of await accountsAt(db, viewer.id, splits.map(addressIn))) {
      const number = splits[position]?.number ?? 0;
      if (await postAt(viewer.id, id, number)) throw refuse("not-yours");
    }
    throw refuse("not-found");
  }

  async function findPost(viewer: Viewer | null, address: string, number: number) {
    const viewerId = viewer?.id ?? null;
    const authorId = found(await findAt(db, viewerId, address));
    return found(await postAt(viewerId, authorId, number));
  }

  function postAt(viewerId: string | null, authorId: string, number: number) {
    return queries.postAt(db, { viewerId, authorId, number });
  }

  return { ofPost, add, clear };
}

function threadOf({ authorAddress: author, number: postId }: queries.AuthorPost) {
  return { author, postId, commentId: `${author}${postId}` };
}

type NumberedAddress = { address: string; number: number };
const addressIn = ({ address }: NumberedAddress) => address;

/** All ways to read a text as an address joined with a post's number. */
export function numberedAddresses(text: string): NumberedAddress[] {
  const [digits = ""] = /\d{0,10}$/.exec(text.slice(-10)) ?? [];
  return Array.from({ length: digits.length }, (_, index) => {
    const end = text.length - index - 1;
    return { address: foldAddress(text.slice(0, end)), number: text.slice(end) };
  })
    .filter(({ address, number }) => address !== "" && !number.startsWith("0"))
    .map(({ address, number }) => ({ address, number: Number(number) }));
}
