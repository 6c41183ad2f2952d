import { useId, useState, type SubmitEvent } from "react";
import { useLocation, useRevalidator } from "react-router";
import * as words from "#messages/chat.json";
import { fill } from "#app/lib/text/messages.tsx";
import type { AccountSummary } from "#shared/views.ts";
import { reportQuery } from "#app/features/reports/report-path.ts";
import { errorMessage, setOrWithdraw } from "#app/lib/api-client.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { notify } from "#app/lib/toasts.ts";
import { DotsThreeIcon } from "#app/ui/icons.ts";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";

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

const row = "flex min-h-11 w-full items-center px-4 text-start hover:bg-base-200";

/** What can be done about a conversation: the browser's own popover, which opens without scripts, too. */
export function ConversationMenu({ chatId, other, conversationId, muted }: Props) {
  const id = useId();
  const { pathname, search } = useLocation();
  const [hiding, setHiding] = useState(false);
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={
          other ? fill(words.optionsWith, { name: other.name }) : words.optionsWithDeleted
        }
        title={words.options}
        className="grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-base-content/8 hover:text-base-content"
      >
        <DotsThreeIcon className="size-6" aria-hidden />
      </button>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        id={id}
        popover="auto"
        onClick={(event) => event.currentTarget.hidePopover()}
        className="w-52 rounded-box border border-line bg-base-100 py-1 text-base-content shadow-lg beside-its-button"
      >
        {conversationId !== null && (
          <MuteConversation chatId={chatId} conversationId={conversationId} muted={muted} />
        )}
        {other && (
          <a
            href={`/block/${other.id}${reportQuery(undefined, pathname + search)}`}
            aria-label={fill(words.hideName, { name: other.name })}
            className={row}
            onClick={(event) => {
              if (event.metaKey || event.ctrlKey || event.shiftKey) return;
              event.preventDefault();
              setHiding(true);
            }}
          >
            {words.hide}
          </a>
        )}
      </div>
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

  async function submit(event: SubmitEvent) {
    event.preventDefault();
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
    <form method="post" action={`/chat/${chatId}`} onSubmit={(event) => void submit(event)}>
      <input type="hidden" name="intent" value={muted ? "unmute" : "mute"} />
      <button type="submit" className={row}>
        {muted ? words.unmuteChat : words.muteChat}
      </button>
    </form>
  );
}
