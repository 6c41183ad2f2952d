import { useOutlet, useRouteLoaderData } from "react-router";
import { listedChats } from "#shared/chat.ts";
import { ChatsPane } from "#app/features/chat/chats-pane.tsx";
import { about } from "#app/lib/page/about.ts";
import { titled } from "#app/lib/page/place.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { loader as chatLoader } from "#app/screens/chat.tsx";
import type { Route } from "./+types/chats.ts";

export const meta: Route.MetaFunction = () => [{ title: titled("Chats") }, about];

export async function loader({ url, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [chats, hasImported] = await Promise.all([
    features.chat.list(member, url.searchParams.get("cursor")),
    features.importedThreads.some(member),
  ]);
  return { chats: listedChats(chats), hasImported, viewerId: member.id };
}

/** The list, and beside it, where there is room, the thread that is open. */
export default function Chats({ loaderData }: Route.ComponentProps) {
  const { chats, hasImported, viewerId } = loaderData;
  const thread = useOutlet();
  const opened = useRouteLoaderData<typeof chatLoader>("screens/chat")?.opened;
  // Nobody to write to: what is said about that has the page to itself.
  const alone = !thread && chats.items.length === 0;
  const openId = opened ? (opened.other?.id ?? opened.conversationId) : null;
  return (
    <div
      className={`chats flex h-full ${alone ? "" : "lg:grid lg:grid-cols-[20rem_minmax(0,1fr)] xl:grid-cols-[22rem_minmax(0,1fr)]"}`}
    >
      <div
        className={`min-h-0 w-full flex-col border-line lg:flex ${alone ? "" : "lg:border-e"} ${thread ? "hidden" : "flex"}`}
      >
        <ChatsPane first={chats} hasImported={hasImported} viewerId={viewerId} openId={openId} />
      </div>
      <div className={`min-h-0 w-full min-w-0 ${thread ? "" : alone ? "hidden" : "max-lg:hidden"}`}>
        {thread ??
          (!alone && (
            <div className="grid h-full place-items-center">
              <EmptyState title="Your messages">
                <p>Choose a conversation.</p>
              </EmptyState>
            </div>
          ))}
      </div>
    </div>
  );
}
