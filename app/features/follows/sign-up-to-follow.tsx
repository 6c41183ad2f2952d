import { useLocation } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { useSignUpOpen } from "#app/lib/page/root-data.ts";
import { returnParameter } from "#app/lib/return-path.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Link } from "#app/ui/link.tsx";

type Props = {
  account: AccountSummary;
  className: string;
  /** where the name is beside it already: for screen readers only */
  besideName?: boolean;
};

/** Small, below the Follow button of a row that names the account already. */
export function SignUpBelowFollow({ account }: { account: AccountSummary }) {
  return (
    <SignUpToFollow
      account={account}
      besideName
      className="link flex min-h-8 items-center text-xs text-muted link-hover"
    />
  );
}

/** For visitors who came for somebody: signing up follows them, and leads back here. */
export function SignUpToFollow({ account, className, besideName = false }: Props) {
  const { pathname, search } = useLocation();
  if (!useSignUpOpen()) return null;
  const query = new URLSearchParams({ follow: account.id, [returnParameter]: pathname + search });
  return (
    <Link to={`/signUp?${query}`} className={className} title={account.name}>
      <span className={besideName ? "truncate" : "one-line"}>
        {rich(words.signUpToFollow, {
          name: <bdi className={besideName ? "sr-only" : "truncate"}>{account.name}</bdi>,
        })}
      </span>
    </Link>
  );
}
