import { useState } from "react";
import { useLocation, useRevalidator } from "react-router";
import * as words from "#messages/chat.json";
import { fill } from "#app/lib/text/messages.tsx";
import type { AccountSummary } from "#shared/views.ts";
import { reportQuery } from "#app/features/reports/report-path.ts";
import { errorMessage, setOrWithdraw } from "#app/lib/api-client.ts";
import { instead } from "#app/lib/instead.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { notify } from "#app/lib/toasts.ts";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { Menu, menuEntry } from "#app/ui/menu.tsx";

const HideDialog = lazyComponent(
  async () => (await import("#app/features/blocks/hide-dialog.tsx")).HideDialog,
  notifyAndClose,
);

type Props = {
  chatId: string;
  other: AccountSummary | null;
  conversationId: string | null;
  muted: boolean;
};

/** What can be done about a conversation. */
export function ConversationMenu({ chatId, other, conversationId, muted }: Props) {
  const { pathname, search } = useLocation();
  const [hiding, setHiding] = useState(false);
  return (
    <>
      <Menu
        label={other ? fill(words.optionsWith, { name: other.name }) : words.optionsWithDeleted}
        title={words.options}
      >
        {conversationId !== null && (
          <MuteConversation chatId={chatId} conversationId={conversationId} muted={muted} />
        )}
        {other && (
          <a
            href={`/block/${other.id}${reportQuery(undefined, pathname + search)}`}
            aria-label={fill(words.hideName, { name: other.name })}
            className={menuEntry}
            onClick={instead(() => setHiding(true))}
          >
            {words.hide}
          </a>
        )}
      </Menu>
      {hiding && other && (
        <HideDialog account={other} theirPage leaveTo="/chat" onClose={() => setHiding(false)} />
      )}
    </>
  );
}

type MuteProps = { chatId: string; conversationId: string; muted: boolean };

/** A muted conversation stays where it is and sends no notifications. */
function MuteConversation({ chatId, conversationId, muted: read }: MuteProps) {
  const { revalidate } = useRevalidator();
  const [muted, setMuted] = useResettableState(read);

  async function submit() {
    setMuted(!muted);
    try {
      await setOrWithdraw(`/api/chats/${conversationId}/mute`, !muted);
      notify.success(muted ? words.notifiedHere : words.notNotifiedHere);
      await revalidate();
    } catch (error) {
      setMuted(muted);
      notify.error(fill(words.muteFailed, { problem: errorMessage(error) }));
    }
  }

  return (
    <form method="post" action={`/chat/${chatId}`} onSubmit={instead(submit)}>
      <input type="hidden" name="intent" value={muted ? "unmute" : "mute"} />
      <button type="submit" className={menuEntry}>
        {muted ? words.unmuteChat : words.muteChat}
      </button>
    </form>
  );
}
