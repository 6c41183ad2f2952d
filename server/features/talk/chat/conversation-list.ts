import { z } from "zod";
import { highestId, idBelow, readCursor, toPage } from "#server/platform/db/cursors.ts";
import type { Database } from "#server/platform/db/database.ts";
import { isId } from "#server/platform/db/ids.ts";
import {
  conversationsOf,
  connectionsWithoutConversation,
  type Connections,
} from "#server/features/talk/chat/conversation-list.queries.ts";
import { chatIdOf } from "#shared/chat.ts";
import { limits } from "#shared/limits.ts";
import type { ConversationSummary, Page, Viewer } from "#shared/views.ts";

/** Marks a position in the second part of the list. */
const unwrittenId = "unwritten";
const silent = { conversationId: null, last: null, unread: 0, muted: false };
const id = z.string().refine(isId);
const listKey = z.union([z.tuple([id]), z.tuple([z.literal(unwrittenId), id])]);

/** Conversations with messages, newest first, and behind them connections without one. */
export async function list(
  db: Database,
  viewer: Viewer,
  cursor: string | null,
): Promise<Page<ConversationSummary>> {
  const [unwrittenBelow] = readCursor(cursor, listKey)?.slice(1) ?? [];
  if (unwrittenBelow) return unwritten(db, viewer, unwrittenBelow);
  const size = limits.accountsPage;
  const search = { viewerId: viewer.id, below: idBelow(cursor), limit: size + 1 };
  const page = toPage(await conversationsOf(db, { ...search, most: limits.unreadMessages }), size);
  const conversations = page.items.map((one) => ({ ...one, chatId: linkTo(viewer, one) }));
  if (page.nextCursor !== null) return { ...page, items: conversations };
  const others = await unwritten(db, viewer, highestId);
  return { ...others, items: [...conversations, ...others.items] };
}

/** Accounts followed before follow `below` that follow back and were never written to. */
async function unwritten(
  db: Database,
  viewer: Viewer,
  below: string,
): Promise<Page<ConversationSummary>> {
  const size = limits.accountsPage;
  const rows: Connections["found"] = [];
  for (let from: string | null = below; from !== null && rows.length <= size;) {
    const limit = size + 1 - rows.length;
    const search = { viewerId: viewer.id, below: from, among: limits.connectionsAtOnce, limit };
    const { found, floor }: Connections = await connectionsWithoutConversation(db, search);
    rows.push(...found);
    from = floor;
  }
  const conversations = rows.map(({ followId, account: other }) => ({
    key: [unwrittenId, followId],
    item: { ...silent, chatId: chatIdOf(viewer, other), other },
  }));
  return toPage(conversations, size);
}

/** A conversation whose other member is gone has no address left but its own id. */
function linkTo(viewer: Viewer, { other, conversationId }: Omit<ConversationSummary, "chatId">) {
  return other ? chatIdOf(viewer, other) : (conversationId ?? "");
}
