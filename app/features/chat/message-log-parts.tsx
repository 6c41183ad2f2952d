import type { ReactNode } from "react";
import * as words from "#messages/chat.json";
import * as common from "#messages/common.json";
import { rich } from "#app/lib/text/messages.tsx";
import { aboveEveryMessage } from "#shared/chat.ts";
import { limits } from "#shared/limits.ts";
import type { OpenedConversation } from "#app/features/chat/read-conversation.server.ts";
import type { useConversation } from "#app/features/chat/use-conversation.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { Spinner } from "#app/ui/spinner.tsx";

/** Above the first message that was unread when the conversation was opened. */
export function UnreadDivider() {
  return (
    <li
      id="new"
      className="flex items-center gap-3 px-4 pt-4 text-xs font-semibold text-primary before:h-px before:flex-1 before:bg-primary after:h-px after:flex-1 after:bg-primary"
    >
      {words.new}
    </li>
  );
}

type SideProps = { conversation: ReturnType<typeof useConversation>; chatId: string };

/** At the top: older messages load as one scrolls there. */
export function OlderMessages({ conversation, chatId }: SideProps) {
  const first = conversation.window.messages[0]?.seq ?? 1;
  return (
    <Side which="Older" reading={conversation.reading.older} onAgain={conversation.loadOlder}>
      <Link to={`/chat/${chatId}?before=${first}`} className="btn">
        {words.olderMessages}
      </Link>
    </Side>
  );
}

/** At the bottom, where the end is not shown. */
export function NewerMessages({ conversation, chatId }: SideProps) {
  const last = conversation.window.messages.at(-1)?.seq ?? 1;
  return (
    <Side which="Newer" reading={conversation.reading.newer} onAgain={conversation.loadNewer}>
      <Link to={`/chat/${chatId}?before=${last + limits.messagesPage + 1}`} className="btn">
        {words.newerMessages}
      </Link>
      <Link to={`/chat/${chatId}?before=${aboveEveryMessage}`} className="btn btn-ghost">
        {words.newest}
      </Link>
    </Side>
  );
}

type Reading = SideProps["conversation"]["reading"]["older"];
type MoreProps = {
  which: "Older" | "Newer";
  reading: Reading;
  onAgain: () => Promise<void>;
  /** without scripts */
  children: ReactNode;
};

/** Shown where there are more messages than are loaded. */
function Side({ which, reading, onAgain, children }: MoreProps) {
  const hydrated = useHydrated();
  return (
    <div
      className={`flex min-h-12 items-center justify-center py-1 text-sm ${which === "Newer" ? "gap-2" : ""}`}
    >
      {reading === "failed" ? (
        <>
          {which === "Newer" ? words.newerFailed : words.olderFailed}
          <Button look="quiet" onClick={() => void onAgain()}>
            {common.tryAgain}
          </Button>
        </>
      ) : hydrated ? (
        reading === "loading" && <Spinner />
      ) : (
        children
      )}
    </div>
  );
}

/** Above the first message: the other party. */
export function ConversationStart({
  opened: { other, open },
  empty,
}: {
  opened: OpenedConversation;
  empty: boolean;
}) {
  if (!other) return null;
  return (
    <div className={`grid justify-items-center gap-2 px-6 text-center ${empty ? "py-16" : "py-6"}`}>
      <Avatar name={other.name} image={other.avatar} size="xl" />
      <p dir="auto" className="line-clamp-3 text-lg font-semibold wrap-anywhere">
        {other.name}
      </p>
      <p className="text-sm text-pretty text-muted">
        {empty && open ? words.noneYet : words.beginning}
      </p>
    </div>
  );
}

/** Below the last message, while the other party is typing. */
export function TypingIndicator({ name }: { name: string }) {
  return (
    <p className="flex items-end px-4 pt-3">
      <span className="flex gap-1 rounded-2xl rounded-es-md bg-base-300 px-4 py-3.5">
        <span className="sr-only">{rich(words.isWriting, { name: <bdi>{name}</bdi> })}</span>
        {["", "delay-150", "delay-300"].map((delay) => (
          <span
            key={delay}
            className={`size-2 animate-bounce rounded-full bg-muted ${delay}`}
            aria-hidden="true"
          />
        ))}
      </span>
    </p>
  );
}
