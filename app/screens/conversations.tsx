import { useOutlet, useRouteLoaderData } from "react-router";
import * as words from "#messages/chat.json";
import { listedConversations } from "#shared/chat.ts";
import { ConversationList } from "#app/features/chat/conversation-list.tsx";
import { pageMeta } from "#app/lib/page/meta-description.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { loader as conversationLoader } from "#app/screens/conversation.tsx";
import type { Route } from "./+types/conversations";

export const meta = pageMeta(words.chats);

export async function loader({ url, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [chats, hasImported] = await Promise.all([
    features.chat.list(member, url.searchParams.get("cursor")),
    features.importedConversations.some(member),
  ]);
  return { chats: listedConversations(chats), hasImported, viewerId: member.id };
}

/** The list, and beside it, where there is room, the open conversation. */
export default function Conversations({ loaderData }: Route.ComponentProps) {
  const { chats, hasImported, viewerId } = loaderData;
  const conversation = useOutlet();
  const opened = useRouteLoaderData<typeof conversationLoader>("screens/conversation")?.opened;
  // With nobody to write to, the explanation has the page to itself.
  const alone = !conversation && chats.items.length === 0;
  const openId = opened ? (opened.other?.id ?? opened.conversationId) : null;
  return (
    <div
      className={`chats flex h-full ${alone ? "" : "lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] xl:grid-cols-[22rem_minmax(0,1fr)]"}`}
    >
      <div
        className={`min-h-0 w-full flex-col border-line lg:flex ${alone ? "" : "lg:border-e"} ${conversation ? "hidden" : "flex"}`}
      >
        <ConversationList
          first={chats}
          hasImported={hasImported}
          viewerId={viewerId}
          openId={openId}
        />
      </div>
      <div
        className={`min-h-0 w-full min-w-0 ${conversation ? "" : alone ? "hidden" : "max-lg:hidden"}`}
      >
        {conversation ??
          (!alone && (
            <div className="grid h-full place-items-center">
              <EmptyState title={words.yourMessages}>
                <p>{words.choose}</p>
              </EmptyState>
            </div>
          ))}
      </div>
    </div>
  );
}
