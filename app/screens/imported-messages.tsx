import * as words from "#messages/data.json";
import { memberPage } from "#app/lib/refusals.server.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { Link } from "#app/ui/link.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/imported-messages";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return features.importedConversations.list(member, url.searchParams.get("cursor"));
}

/** Conversations from an imported archive: a member's own copies. */
export default function ImportedMessages({ loaderData }: Route.ComponentProps) {
  const { items, nextCursor } = loaderData;
  const timeZone = useTimeZone();
  return (
    <>
      <BackLink to="/settings/data">{words.yourData}</BackLink>
      <ScreenTitle>{words.importedMessages}</ScreenTitle>
      {items.length === 0 ? (
        <EmptyState title={words.noImported}>
          <p>{words.noImportedText}</p>
        </EmptyState>
      ) : (
        <>
          <p className="px-4 pb-3 text-sm text-pretty text-muted md:px-0">{words.importedAbout}</p>
          <ul>
            {items.map(({ id, other, newestAt }) => (
              <li key={id}>
                <Link
                  to={`/settings/data/messages/${id}`}
                  className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 rounded-field px-4 py-2 hover:bg-base-200 md:-mx-4"
                >
                  <span className="min-w-0 wrap-anywhere">
                    <span dir="auto" className="line-clamp-2 font-medium">
                      {other?.name ?? words.unknownPerson}
                    </span>
                    {other ? <bdi className="text-sm text-muted">@{other.username}</bdi> : null}
                  </span>
                  <span className="text-sm text-muted">{formatDate(newestAt, timeZone)}</span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="px-4 py-3 md:px-0">
            <OlderLink cursor={nextCursor}>{words.olderConversations}</OlderLink>
          </p>
        </>
      )}
    </>
  );
}
