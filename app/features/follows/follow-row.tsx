import type { ReactNode } from "react";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { FollowButton, type Followable } from "#app/features/follows/follow-button.tsx";

type Props = { account: Followable; viewerId: string | null; about?: ReactNode };

/** An account in a list, with a Follow button. */
export const FollowRow = ({ account, viewerId, about }: Props) => (
  <AccountRow account={account} viewerId={viewerId} about={about}>
    {account.id !== viewerId && (
      <FollowButton account={account} signedIn={viewerId !== null} quiet />
    )}
  </AccountRow>
);
