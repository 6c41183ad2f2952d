import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import * as words from "#messages/chat.json";
import { MessageComposer } from "#app/features/chat/message-composer.tsx";
import { MessageLog } from "#app/features/chat/message-log.tsx";
import type { OpenedConversation } from "#app/features/chat/read-conversation.server.ts";
import { ConversationHeader } from "#app/features/chat/conversation-header.tsx";
import { useConversation } from "#app/features/chat/use-conversation.ts";
import { outbox } from "#app/features/chat/use-outgoing.ts";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { useLive } from "#app/lib/live/live.ts";
import { randomKey } from "#app/lib/forms/random-key.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Link } from "#app/ui/link.tsx";
import type { AccountSummary } from "#shared/views.ts";

type Props = {
  opened: OpenedConversation;
  viewerId: string;
  /** makes a repeated submit without scripts harmless */
  clientKey: string;
  /** the answer to a submit without scripts */
  returned: Refused<"body"> | undefined;
};

/** A conversation: its header, its messages and the field to write in. */
export function ConversationPane({ opened, viewerId, clientKey, returned }: Props) {
  const { chatId, other, open, muted } = opened;
  const conversation = useConversation(opened, viewerId);
  const { threadId, conversationId } = conversation;
  const [sent, setSent] = useState(0);
  const { revalidate } = useRevalidator();

  // Only the server knows whether the two can write to each other.
  useLive("follow", (accountId) => {
    if (accountId === other?.id) void revalidate();
  });
  // The other party unfollowed and this page was not notified: close it now.
  const closed = open && conversation.outgoing.some(({ code }) => code === "chat-closed");
  useEffect(() => {
    if (closed) void revalidate();
  }, [closed, revalidate]);

  function send(body: string, photos: Blob[]): void {
    const at = Date.now();
    // One photo a message; the text goes with the last, so that it is shown below all of them.
    const parts = photos.length > 0 ? photos : [null];
    for (const [index, photo] of parts.entries()) {
      const text = index === parts.length - 1 ? body : "";
      const key = randomKey();
      outbox.add({
        clientKey: key,
        senderId: viewerId,
        threadId,
        chatId,
        body: text,
        picture: photo,
        at,
      });
    }
    setSent((count) => count + 1);
  }

  return (
    <section
      aria-label={other?.name ?? words.chat}
      className="conversation flex h-full min-w-0 flex-col"
    >
      <ConversationHeader
        chatId={chatId}
        other={other}
        conversationId={conversationId}
        muted={muted}
      />
      <MessageLog conversation={conversation} opened={opened} viewerId={viewerId} sent={sent} />
      {open && other ? (
        <MessageComposer
          chatId={chatId}
          threadId={threadId}
          conversationId={conversationId}
          viewerId={viewerId}
          name={other.name}
          clientKey={clientKey}
          returned={returned}
          onSend={send}
        />
      ) : (
        <ClosedNotice other={other} />
      )}
    </section>
  );
}

/** Replaces the message field where the two can no longer write to each other. */
function ClosedNotice({ other }: { other: AccountSummary | null }) {
  return (
    <p className="shrink-0 border-t border-line bg-base-200 px-4 py-4 text-center text-sm text-pretty">
      {other
        ? rich(words.noLongerFollowing, {
            name: (
              <Link to={`/search/${other.id}`} className="link">
                <bdi>{other.name}</bdi>
              </Link>
            ),
          })
        : words.accountGone}
    </p>
  );
}
