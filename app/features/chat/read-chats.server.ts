import type { ChatSummary, Page, Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** A line of the list of chats, with what tells it apart from the others. */
export type ListedChat = ChatSummary & { id: string };

/** A page of the list of chats. */
export async function readChats(
  chat: PageContext["features"]["chat"],
  viewer: Viewer,
  cursor: string | null,
): Promise<Page<ListedChat>> {
  const { items, nextCursor } = await chat.list(viewer, cursor);
  const listed = items.map((one) => ({ ...one, id: one.other?.id ?? one.conversationId ?? "" }));
  return { items: listed, nextCursor };
}
