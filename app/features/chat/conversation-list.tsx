import * as words from "#messages/chat.json";
import * as shell from "#messages/shell.json";
import type { ListedConversation } from "#shared/chat.ts";
import type { Page } from "#shared/views.ts";
import { ConversationRow } from "#app/features/chat/conversation-row.tsx";
import { useConversations } from "#app/features/chat/use-conversations.ts";
import { Link } from "#app/ui/link.tsx";
import { ListFoot } from "#app/ui/list-foot.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { AccountSkeleton } from "#app/ui/skeleton.tsx";

type Props = {
  first: Page<ListedConversation>;
  /** there are imported messages, which have a page of their own */
  hasImported: boolean;
  viewerId: string;
  /** the conversation that is open beside it; null for none */
  openId: string | null;
};

/** 'Chats': conversations newest first, then accounts one can write to. */
export function ConversationList({ first, hasImported, viewerId, openId }: Props) {
  const list = useConversations(first, viewerId);
  const written = list.items.filter(({ last }) => last !== null);
  const unwritten = list.items.filter(({ last }) => last === null);
  // Beside an open conversation this is not the page's own title.
  const Title = openId === null ? "h1" : "p";
  const row = (conversation: ListedConversation) => (
    <ConversationRow
      key={conversation.id}
      conversation={conversation}
      viewerId={viewerId}
      typing={list.isTyping(conversation)}
      open={conversation.id === openId}
    />
  );
  return (
    <>
      <Title className="flex h-14 shrink-0 items-center px-4 text-xl max-lg:h-17 font-semibold">
        {words.chats}
      </Title>
      <nav
        aria-label={words.chats}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain pb-4"
      >
        {list.items.length === 0 && (
          <EmptyState
            title={words.nobodyYet}
            action={<ButtonLink to="/search">{shell.findPeople}</ButtonLink>}
          >
            <p>{words.nobodyYetText}</p>
          </EmptyState>
        )}
        {written.length > 0 && <ul>{written.map(row)}</ul>}
        {unwritten.length > 0 && (
          <section aria-labelledby="unwritten" className={written.length > 0 ? "mt-3" : ""}>
            <h2 id="unwritten" className="px-4 pt-3 pb-1 text-sm font-medium text-muted">
              {written.length > 0 ? words.startConversation : words.followEachOther}
            </h2>
            <ul>{unwritten.map(row)}</ul>
          </section>
        )}
        <ListFoot list={list} label={words.olderChats} waiting={<AccountSkeleton />} />
        {hasImported && list.nextCursor === null && (
          <Link
            to="/settings/data/messages"
            className={`link mt-3 flex min-h-11 w-fit items-center text-sm text-muted ${list.items.length > 0 ? "mx-4" : "mx-auto"}`}
          >
            {words.imported}
          </Link>
        )}
      </nav>
    </>
  );
}
