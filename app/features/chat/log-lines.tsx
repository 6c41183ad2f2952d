import { Link } from "react-router";
import { aboveEveryMessage } from "#shared/chat.ts";
import { limits } from "#shared/limits.ts";
import type { OpenedThread } from "#app/features/chat/read-thread.server.ts";
import type { useThread } from "#app/features/chat/use-thread.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { Spinner } from "#app/ui/spinner.tsx";

/** Above the first message that was not seen when the thread was opened. */
export function NewFromHere() {
  return (
    <li
      id="new"
      className="flex items-center gap-3 px-4 pt-4 text-xs font-semibold text-primary before:h-px before:flex-1 before:bg-primary after:h-px after:flex-1 after:bg-primary"
    >
      New
    </li>
  );
}

type SideProps = { thread: ReturnType<typeof useThread>; chatId: string };

/** Above: older ones come as one gets there. */
export function Older({ thread, chatId }: SideProps) {
  const hydrated = useHydrated();
  const first = thread.window.messages[0]?.seq ?? 1;
  return (
    <div className="flex min-h-12 items-center justify-center py-1 text-sm">
      {thread.reading.older === "failed" ? (
        <>
          Older messages didn't load.
          <Button look="quiet" onClick={() => void thread.loadOlder()}>
            Try again
          </Button>
        </>
      ) : hydrated ? (
        thread.reading.older === "loading" && <Spinner />
      ) : (
        <Link to={`/chat/${chatId}?before=${first}`} className="btn">
          Older messages
        </Link>
      )}
    </div>
  );
}

/** Below, where the end is not shown. */
export function Newer({ thread, chatId }: SideProps) {
  const hydrated = useHydrated();
  const last = thread.window.messages.at(-1)?.seq ?? 1;
  return (
    <div className="flex min-h-12 items-center justify-center gap-2 py-1 text-sm">
      {thread.reading.newer === "failed" ? (
        <>
          Newer messages didn't load.
          <Button look="quiet" onClick={() => void thread.loadNewer()}>
            Try again
          </Button>
        </>
      ) : hydrated ? (
        thread.reading.newer === "loading" && <Spinner />
      ) : (
        <>
          <Link to={`/chat/${chatId}?before=${last + limits.messagesPage + 1}`} className="btn">
            Newer messages
          </Link>
          <Link to={`/chat/${chatId}?before=${aboveEveryMessage}`} className="btn btn-ghost">
            The newest
          </Link>
        </>
      )}
    </div>
  );
}

/** Above the first message: with whom. */
export function Beginning({
  opened: { other, open },
  empty,
}: {
  opened: OpenedThread;
  empty: boolean;
}) {
  if (!other) return null;
  return (
    <div className={`grid justify-items-center gap-2 px-6 text-center ${empty ? "py-16" : "py-6"}`}>
      <Avatar name={other.name} picture={other.avatar} size="xl" />
      <p className="line-clamp-3 text-lg font-semibold wrap-anywhere">
        <bdi>{other.name}</bdi>
      </p>
      <p className="text-sm text-pretty text-muted">
        {empty && open
          ? "No messages yet. Say hello."
          : "This is the beginning of your conversation."}
      </p>
    </div>
  );
}

/** Below the last message, while the other one is writing. */
export function TypingSign({ name }: { name: string }) {
  return (
    <p className="flex items-end px-4 pt-3">
      <span className="flex gap-1 rounded-2xl rounded-es-md bg-base-300 px-4 py-3.5">
        <span className="sr-only">
          <bdi>{name}</bdi> is writing
        </span>
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
