import { Form } from "react-router";
import * as words from "#messages/operator.json";
import { roleTexts } from "#app/features/operator/role-texts.ts";
import { operatorPage } from "#app/features/operator/operator.server.ts";
import { commaList, counted } from "#app/lib/text/messages.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CaretRightIcon } from "#app/ui/icons.ts";
import { Link } from "#app/ui/link.tsx";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { SelectField } from "#app/ui/select-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-accounts";

const shows = [
  ["", words.everyone],
  ["suspended", words.suspended],
  ["leaving", words.leaving],
  ["moderator", words.moderators],
  ["operator", words.operators],
] as const;

export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  const typed = query.get("q") ?? "";
  const show = shows.find(([value]) => value === query.get("show"))?.[0] ?? "";
  const wanted = {
    words: typed,
    state: show === "suspended" || show === "leaving" ? show : null,
    role: show === "moderator" || show === "operator" ? show : null,
  };
  const page = await features.dashboard.accounts(member, wanted, query.get("cursor"));
  return { ...page, typed, show, further: query.has("cursor") };
}

type Loaded = Route.ComponentProps["loaderData"];

export default function OperatorAccounts({ loaderData }: Route.ComponentProps) {
  const { items: accounts, typed, show, nextCursor, further } = loaderData;
  return (
    <>
      <ScreenTitle>{words.people}</ScreenTitle>
      <SearchForm typed={typed} show={show} />
      {accounts.length === 0 && (
        <EmptyState drawing="lens" title={nextCursor ? words.noOneYet : words.noOneFound}>
          <p>{nextCursor ? words.newestDontMatch : words.nothingMatches}</p>
        </EmptyState>
      )}
      <ul className={accounts.length > 0 ? "overflow-hidden md:card" : ""}>
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} />
        ))}
      </ul>
      <p className="flex justify-center gap-3 px-4 py-6">
        {further && (
          <ButtonLink to={`?${new URLSearchParams({ q: typed, show })}`}>{words.newest}</ButtonLink>
        )}
        <OlderLink cursor={nextCursor} query={{ q: typed, show }} />
      </p>
    </>
  );
}

function SearchForm({ typed, show }: Pick<Loaded, "typed" | "show">) {
  return (
    <Form role="search" className="grid gap-3 px-4 pb-4 md:px-0">
      <TextField
        key={typed}
        label={words.searchLabel}
        name="q"
        type="search"
        defaultValue={typed}
        autoComplete="off"
        maxLength={200}
      />
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          key={show}
          label={words.show}
          name="show"
          defaultValue={show}
          choices={shows}
        />
        <Submit>{words.search}</Submit>
      </div>
    </Form>
  );
}

function AccountRow({ account }: { account: Loaded["items"][number] }) {
  const { id, username, name, email, posts, role, createdAt, suspendedAt, deletionDueAt } = account;
  const states = [
    role === "member" ? "" : roleTexts[role].inLine,
    suspendedAt ? words.isSuspended : "",
    deletionDueAt ? words.isLeaving : "",
  ].filter(Boolean);
  return (
    <li className="relative flex items-center gap-3 border-b border-line px-4 py-3 hover:bg-base-200">
      <div className="min-w-0 flex-1 wrap-anywhere">
        <Link to={`/operator/people/${id}`} className="before:absolute before:inset-0">
          <bdi className="font-semibold">{name || username}</bdi>
        </Link>
        <p className="text-sm text-muted">
          <span dir="ltr">{`@${username} · ${email}`}</span>
        </p>
        <p className="text-sm text-muted">
          {counted(words.postsSince, posts, { year: createdAt.getUTCFullYear() })}
          {states.length > 0 && (
            <span className="font-semibold text-base-content">{` · ${commaList(states)}`}</span>
          )}
        </p>
      </div>
      <CaretRightIcon className="size-5 shrink-0 text-muted rtl:-scale-x-100" aria-hidden />
    </li>
  );
}
