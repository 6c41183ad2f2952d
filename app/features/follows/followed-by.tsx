import type { FoundAccount } from "#shared/views.ts";

/** "Followed by Ada and 3 more": those of one's own follows who follow somebody. */
export function FollowedBy({ by }: { by: NonNullable<FoundAccount["followedBy"]> }) {
  return (
    <>
      Followed by <bdi>{by.name}</bdi>
      {by.others > 0 && ` and ${by.others} more`}
    </>
  );
}
