import { useEffect, useRef } from "react";
import { Form, useSubmit } from "react-router";
import { limits } from "#shared/limits.ts";
import { isBlank } from "#shared/text.ts";
import { FriendList } from "#app/features/close-friends/friend-list.tsx";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { backToPage, form, formAction } from "#app/lib/forms/form-action.server.ts";
import { useResettableState } from "#app/lib/lists/use-resettable-state.ts";
import { memberPage, orRefusalPage } from "#app/lib/refusals.server.ts";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { MagnifyingGlassIcon } from "#app/ui/icons.ts";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/close-friends";

export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const q = query.get("q") ?? "";
  const [page, count] = await orRefusalPage(
    Promise.all([
      features.closeFriends.list(member, q, query.get("cursor")),
      features.closeFriends.count(member),
    ]),
  );
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
      <SettingsTitle>Close friends</SettingsTitle>
      <div className="grid gap-4 px-4 md:px-0">
        <p className="text-pretty text-muted">
          Posts for close friends are for the people on this list. Only you can see it. No one is
          told when you add or remove them.
        </p>
        <SearchPeople query={query} />
        <p role="status" className="text-sm text-muted">
          {count} of {limits.closeFriends} on your list
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
        <EmptyState drawing="card" title="No one on your list yet">
          <p>Search for someone to add. People who follow you will be suggested here.</p>
        </EmptyState>
      ) : (
        <EmptyState drawing="lens" title="No one found" />
      )}
    </>
  );
}

/** Pause after the last character before a search starts by itself, milliseconds. */
const pauseMs = 300;

function SearchPeople({ query }: { query: string | null }) {
  const submit = useSubmit();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <search>
      <Form
        action="/settings/friends"
        preventScrollReset
        onChange={({ currentTarget }) => {
          clearTimeout(timer.current);
          timer.current = setTimeout(() => {
            void submit(currentTarget, { replace: true, preventScrollReset: true });
          }, pauseMs);
        }}
      >
        <TextField
          name="q"
          type="search"
          label="Search people"
          placeholder="A name"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          defaultValue={query ?? ""}
          className="w-full"
          after={
            <button type="submit" aria-label="Search" title="Search" className="btn btn-ghost">
              <MagnifyingGlassIcon className="size-5" aria-hidden />
            </button>
          }
        />
      </Form>
    </search>
  );
}
