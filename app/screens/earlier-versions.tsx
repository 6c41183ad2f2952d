import * as words from "#messages/posts.json";
import { findOwnPost } from "#app/features/posts/find-post.server.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { memberPage } from "#app/lib/refusals.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/earlier-versions";

/** A post before its edits: for its author only. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const post = await findOwnPost(features, member, params);
  return {
    back: pathOfPost(post),
    versions: await features.posts.earlierVersions(member, params.address, post.number),
  };
}

export default function EarlierVersions({ loaderData: { back, versions } }: Route.ComponentProps) {
  return (
    <>
      <BackLink to={back}>{words.post}</BackLink>
      <ScreenTitle>{words.earlierVersions}</ScreenTitle>
      {versions.length === 0 ? (
        <EmptyState drawing="box" title={words.noEarlierWords}>
          <p>{words.earlierWordsKept}</p>
        </EmptyState>
      ) : (
        <>
          <p className="px-4 pb-4 text-sm text-muted md:px-0">{words.newestVersionsKept}</p>
          <ol className="grid gap-3 px-4 pb-8 md:px-0">
            {versions.map(({ caption, warning, replacedAt }) => (
              <li key={replacedAt} className="rounded-box border border-line p-4">
                <p className="pb-1 text-sm text-muted">
                  {rich(words.until, { time: <PostTime at={replacedAt} /> })}
                </p>
                {warning !== null && (
                  <p dir="auto" className="font-medium wrap-anywhere">
                    {warning}
                  </p>
                )}
                <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
                  {caption || <span className="text-muted">{words.noWords}</span>}
                </p>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
}
