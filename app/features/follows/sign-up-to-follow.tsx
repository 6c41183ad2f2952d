import { useLocation } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { useSignUpOpen } from "#app/lib/page/root-data.ts";
import { followParameter, returnParameter } from "#app/lib/return-path.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = { account: AccountSummary; className: string };

/** For visitors who came for somebody, where no Follow button is: signing up follows them, and leads back here. */
export function SignUpToFollow({ account, className }: Props) {
  const { pathname, search } = useLocation();
  if (!useSignUpOpen()) return null;
  const query = new URLSearchParams({
    [followParameter]: account.id,
    [returnParameter]: pathname + search,
  });
  return (
    <Link to={`/signUp?${query}`} className={className} title={account.name}>
      <span className="one-line">
        {rich(words.signUpToFollow, { name: <bdi className="truncate">{account.name}</bdi> })}
      </span>
    </Link>
  );
}
