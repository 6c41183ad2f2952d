import * as words from "#messages/chat.json";
import type { AccountSummary } from "#shared/views.ts";
import { ConversationMenu } from "#app/features/chat/conversation-menu.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { BellSlashIcon, CaretLeftIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";

type Props = {
  chatId: string;
  other: AccountSummary | null;
  conversationId: string | null;
  muted: boolean;
};

/** The other party, the way back, and what can be done about the conversation. */
export function ConversationHeader({ chatId, other, conversationId, muted }: Props) {
  const name = other?.name ?? words.deletedAccount;
  return (
    <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line px-2">
      <Link
        to="/chat"
        aria-label={words.allChats}
        title={words.allChats}
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
      {muted && (
        <BellSlashIcon className="size-5 shrink-0 text-muted" role="img" aria-label={words.muted} />
      )}
      {(other ?? conversationId) !== null && (
        <ConversationMenu {...{ chatId, other, conversationId, muted }} />
      )}
    </header>
  );
}
