import * as words from "#messages/chat.json";
import { chatIdOf } from "#shared/chat.ts";
import type { AccountSummary } from "#shared/views.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  account: AccountSummary;
  following: boolean;
  followsViewer: boolean;
};

/** Opens the conversation with somebody, where both follow each other; otherwise says what is missing. */
export function MessageButton({ account, following, followsViewer }: Props) {
  const viewer = useRootData()?.viewer;
  if (!viewer || (!following && !followsViewer)) return null;
  if (following && followsViewer) {
    return <ButtonLink to={`/chat/${chatIdOf(viewer, account)}`}>{words.message}</ButtonLink>;
  }
  return (
    <p className="order-last w-full text-sm text-muted">
      {following ? words.messageOnceFollowed : words.followToMessage}
    </p>
  );
}
