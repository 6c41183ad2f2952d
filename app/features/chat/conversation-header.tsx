import type { SubmitEvent } from "react";
import { Link, useRevalidator } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import { HideButton } from "#app/features/blocks/hide-button.tsx";
import { errorMessage, setOrWithdraw } from "#app/lib/api-client.ts";
import { notify } from "#app/lib/toasts.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { IconButton } from "#app/ui/button.tsx";
import { BellIcon, BellSlashIcon, CaretLeftIcon } from "#app/ui/icons.ts";

type Props = {
  chatId: string;
  other: AccountSummary | null;
  conversationId: string | null;
  muted: boolean;
};

/** The other party, the way back, and what can be done about the conversation. */
export function ConversationHeader({ chatId, other, conversationId, muted }: Props) {
  const name = other?.name ?? "Deleted account";
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line px-2">
      <Link
        to="/chat"
        aria-label="All chats"
        title="All chats"
        className="grid size-11 shrink-0 place-items-center rounded-full hover:bg-base-200 lg:hidden"
      >
        <CaretLeftIcon className="size-6 rtl:rotate-180" aria-hidden />
      </Link>
      <div className="group relative flex min-w-0 flex-1 items-center gap-3 px-1 lg:px-2">
        <Avatar name={name} image={other?.avatar ?? null} size="md" priority />
        <div className="min-w-0">
          <h1 dir="auto" className="w-fit max-w-full truncate leading-tight font-semibold">
            {other ? (
              <Link
                to={`/search/${other.id}`}
                className="group-hover:underline before:absolute before:inset-0"
              >
                {name}
              </Link>
            ) : (
              name
            )}
          </h1>
          {other && <p className="truncate text-sm leading-tight text-muted">@{other.username}</p>}
        </div>
      </div>
      {conversationId !== null && (
        <MuteConversation chatId={chatId} conversationId={conversationId} muted={muted} />
      )}
      {other && <HideButton account={other} theirPage leaveTo="/chat" />}
    </header>
  );
}

type MuteProps = { chatId: string; conversationId: string; muted: boolean };

/** A muted conversation stays where it is and sends no notifications. */
function MuteConversation({ chatId, conversationId, muted: read }: MuteProps) {
  const { revalidate } = useRevalidator();
  const [muted, setMuted] = useResettableState(read);
  const Icon = muted ? BellSlashIcon : BellIcon;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setMuted(!muted);
    try {
      await setOrWithdraw(`/api/chats/${conversationId}/mute`, !muted);
      notify.success(
        muted
          ? "You'll be notified of new messages here."
          : "You won't be notified of new messages here.",
      );
      await revalidate();
    } catch (error) {
      setMuted(muted);
      notify.error(`Nothing changed for this chat. ${errorMessage(error)}`);
    }
  }

  return (
    <form method="post" action={`/chat/${chatId}`} onSubmit={(event) => void submit(event)}>
      <input type="hidden" name="intent" value={muted ? "unmute" : "mute"} />
      <IconButton
        type="submit"
        label={muted ? "Unmute this chat" : "Mute this chat"}
        className="text-muted hover:text-base-content"
      >
        <Icon className="size-6" aria-hidden />
      </IconButton>
    </form>
  );
}
