import type { FoundAccount } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { wholeCount } from "#app/lib/text/counts.ts";
import { formOf, rich } from "#app/lib/text/messages.tsx";

/** "Followed by Ada and 3 more": those of one's own follows who follow somebody. */
export function FollowedBy({ by }: { by: NonNullable<FoundAccount["followedBy"]> }) {
  const name = <bdi>{by.name}</bdi>;
  if (by.others === 0) return rich(words.followedBy, { name });
  return rich(formOf(words.followedByMore, by.others), { name, count: wholeCount(by.others) });
}
