import { limits } from "#shared/limits.ts";
import { isBlank } from "#shared/text.ts";
import * as words from "#messages/people.json";
import { FriendList } from "#app/features/close-friends/friend-list.tsx";
import { SearchPeople } from "#app/features/search/search-people.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { backToPage, form, formAction } from "#app/lib/forms/form-action.server.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import type { Route } from "./+types/close-friends";

export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const q = query.get("q") ?? "";
  const [page, count] = await Promise.all([
    features.closeFriends.list(member, q, query.get("cursor")),
    features.closeFriends.count(member),
  ]);
  return { query: isBlank(q) ? null : q, page, count, viewerId: member.id };
}

export const action = formAction({
  add: form(({ privacy }) => privacy.addCloseFriend, backToPage),
  remove: form(({ privacy }) => privacy.removeCloseFriend, backToPage),
});

export default function CloseFriends({ loaderData }: Route.ComponentProps) {
  const { query, page, viewerId } = loaderData;
  const [count, setCount] = useResettableState(loaderData.count);
  return (
    <>
      <SettingsTitle>{words.closeFriends}</SettingsTitle>
      <div className="grid gap-4 px-4 md:px-0">
        <p className="text-sm text-pretty text-muted">{words.closeFriendsText}</p>
        <SearchPeople query={query} at="/settings/friends" />
        <p role="status" className="text-sm text-muted">
          {fill(words.countOnList, { count, most: limits.closeFriends })}
        </p>
      </div>
      {page.items.length > 0 ? (
        <FriendList
          key={query}
          first={page}
          query={query}
          viewerId={viewerId}
          onChanged={(close) => setCount((now) => now + (close ? 1 : -1))}
        />
      ) : query === null ? (
        <EmptyState drawing="card" title={words.noneOnList}>
          <p>{words.noneOnListText}</p>
        </EmptyState>
      ) : (
        <EmptyState drawing="lens" title={words.noOneFound} />
      )}
    </>
  );
}
