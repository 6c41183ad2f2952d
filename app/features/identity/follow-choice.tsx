import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/identity.json";
import { rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";

type Props = { account: AccountSummary; checked: boolean; onChange: (checked: boolean) => void };

/** The account a newcomer came for: shows who it is, and lets them decline. */
export function FollowChoice({ account, checked, onChange }: Props) {
  return (
    <label className="flex min-h-14 items-center gap-3 rounded-box border border-line px-4 py-2.5">
      <Avatar name={account.name} image={account.avatar} priority />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {rich(words.willFollow, { name: <bdi className="font-semibold">{account.name}</bdi> })}
      </span>
      <input
        type="checkbox"
        name="follow"
        value={account.id}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        className="toggle"
      />
    </label>
  );
}
