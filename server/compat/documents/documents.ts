import { createHash } from "node:crypto";
import { lowestId, readCursor, writeCursor } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import { addressesOf } from "#server/compat/documents/addresses.queries.ts";
import * as queries from "#server/compat/documents/documents.queries.ts";
import {
  fitDocument,
  sizeOf,
  userDocument,
  type ImageAddresses,
  type ViewContext,
} from "#server/compat/documents/shape.ts";
import type { DocumentedUser } from "#shared/documents.inputs.ts";
import { found } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import type { Viewer } from "#shared/views.ts";
import { z } from "zod";

type Deps = { db: Database; addressesFor: ImageAddresses };
type Bounds = { posts: number; entries: number };

/** A page of all accounts; `nextCursor` is null on the last. */
export type DocumentPage = { items: DocumentedUser[]; nextCursor: string | null };

const { documents: bounds } = limits;
const whole: Bounds = { posts: bounds.posts, entries: bounds.entries };
const listed: Bounds = { posts: bounds.listedPosts, entries: bounds.listedEntries };
const cursorKey = z.tuple([z.string().refine(isId)]);

/** Accounts as the documented calls describe them, as a viewer may see them. */
export function createDocuments({ db, addressesFor }: Deps) {
  /** Refuses with not-found. A fixed number of statements, whatever the account has. */
  async function at(viewer: Viewer | null, address: string): Promise<DocumentedUser> {
    const id = found(await queries.findAt(db, viewer?.id ?? null, address));
    return found(await ofAccount(viewer, id));
  }

  /** Refuses with not-found. */
  async function byId(viewer: Viewer | null, id: string): Promise<DocumentedUser> {
    return found(isId(id) ? await ofAccount(viewer, id.toLowerCase()) : null);
  }

  /** Null for an account that may not be seen. */
  async function ofAccount(viewer: Viewer | null, id: string): Promise<DocumentedUser | null> {
    const [document] = await build(viewer, [id], whole);
    return document ? fitDocument(document, bounds.bytes) : null;
  }

  /**
   * All accounts in the order they joined, the caller's own first; as many a page as the bounds
   * allow. Refuses an invalid cursor with input-invalid.
   */
  async function page(viewer: Viewer | null, cursor: string | null): Promise<DocumentPage> {
    const above = readCursor(cursor, cursorKey)?.[0] ?? null;
    const viewerId = viewer?.id ?? null;
    const limit = bounds.accountsPage + 1;
    const ids = await queries.accountIds(db, { viewerId, above, limit });
    const asked = ids.slice(0, bounds.accountsPage);
    const built = await build(viewer, asked, listed);
    const items = asFit(built, bounds.bytes);
    const last = items.length < built.length ? items.at(-1)?._id : asked.at(-1);
    const more = items.length < built.length || ids.length > asked.length;
    // After the caller's own, which comes before all others, the others begin.
    const place = last === viewerId ? above : last;
    // The others begin below every account where the caller's own filled a page.
    return { items, nextCursor: more && last ? writeCursor([place ?? lowestId]) : null };
  }

  async function build(
    viewer: Viewer | null,
    ids: readonly string[],
    { posts, entries }: Bounds,
  ): Promise<DocumentedUser[]> {
    const viewerId = viewer?.id ?? null;
    const accounts = await queries.accountRows(db, { viewerId, ids, entries });
    const authorIds = accounts.map(({ id }) => id);
    const { bytes } = bounds;
    const postRows = await queries.postRows(db, { viewerId, authorIds, posts, entries, bytes });
    const bookmarks =
      viewerId && authorIds.includes(viewerId)
        ? await queries.bookmarkRows(db, { viewerId, entries })
        : [];
    const mentioned = new Set([
      ...accounts.flatMap(({ followerIds, followingIds }) => [...followerIds, ...followingIds]),
      ...[...postRows, ...bookmarks].flatMap(({ authorId, likerIds }) => [authorId, ...likerIds]),
      ...(viewerId ? [viewerId] : []),
    ]);
    const addresses = await addressesOf(db, viewerId, [...mentioned]);
    const imageAddress = addressesFor(viewer);
    const context: ViewContext = { viewerId, entries, addresses, imageAddress };
    const byAuthor = Map.groupBy(postRows, ({ authorId }) => authorId);
    return accounts.map((account) =>
      userDocument(
        account,
        {
          posts: byAuthor.get(account.id) ?? [],
          bookmarks: account.id === viewerId ? bookmarks : [],
        },
        context,
      ),
    );
  }

  return { at, byId, ofAccount, page };
}

export type Documents = ReturnType<typeof createDocuments>;

/** The first ones that fit into `bytes` of JSON together; at least one, to make progress. */
function asFit(documents: readonly DocumentedUser[], bytes: number): DocumentedUser[] {
  let size = 2;
  const end = documents.findIndex((document) => {
    size += sizeOf(document) + 1;
    return size > bytes;
  });
  return documents.slice(0, end === -1 ? undefined : Math.max(1, end));
}

/** The entity tag of a document: strong, made of its whole content. */
export function tagOf(document: DocumentedUser, json = JSON.stringify(document)): string {
  return `"${createHash("sha256").update(json).digest("base64url").slice(0, 27)}"`;
}
