import { Form, Link } from "react-router";
import { operatorPage } from "#app/features/operator/operator.server.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { CaretRightIcon } from "#app/ui/icons.ts";
import { OlderLink } from "#app/ui/older-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/operator-accounts";

const shows = [
  ["", "Everyone"],
  ["suspended", "Suspended"],
  ["leaving", "Leaving"],
  ["moderator", "Moderators"],
  ["operator", "Operators"],
] as const;

export async function loader({ url: { searchParams: query }, context }: Route.LoaderArgs) {
  const { member, features } = operatorPage(context);
  const words = query.get("q") ?? "";
  const show = shows.find(([value]) => value === query.get("show"))?.[0] ?? "";
  const wanted = {
    words,
    state: show === "suspended" || show === "leaving" ? show : null,
    role: show === "moderator" || show === "operator" ? show : null,
  };
  const page = await features.dashboard.accounts(member, wanted, query.get("cursor"));
  const accounts = page.items.map(({ createdAt, suspendedAt, deletionDueAt, ...account }) => ({
    id: account.id,
    username: account.username,
    name: account.name,
    email: account.email,
    posts: account.posts,
    state: [
      account.role !== "member" && account.role,
      suspendedAt && "suspended",
      deletionDueAt && "leaving",
    ]
      .filter(Boolean)
      .join(", "),
    since: createdAt.getUTCFullYear(),
  }));
  return { accounts, words, show, nextCursor: page.nextCursor, further: query.has("cursor") };
}

type Loaded = Route.ComponentProps["loaderData"];

export default function OperatorAccounts({ loaderData }: Route.ComponentProps) {
  const { accounts, words, show, nextCursor, further } = loaderData;
  return (
    <>
      <ScreenTitle>People</ScreenTitle>
      <SearchForm words={words} show={show} />
      {accounts.length === 0 && (
        <EmptyState drawing="lens" title={nextCursor ? "No one yet" : "No one found"}>
          <p>
            {nextCursor
              ? "None of the newest accounts match. Older ones may."
              : "No username, name or email matches."}
          </p>
        </EmptyState>
      )}
      <ul className={accounts.length > 0 ? "overflow-hidden md:card" : ""}>
        {accounts.map((account) => (
          <AccountRow key={account.id} account={account} />
        ))}
      </ul>
      <p className="flex justify-center gap-3 px-4 py-6">
        {further && (
          <ButtonLink to={`?${new URLSearchParams({ q: words, show })}`}>Newest</ButtonLink>
        )}
        <OlderLink cursor={nextCursor} query={{ q: words, show }} />
      </p>
    </>
  );
}

function SearchForm({ words, show }: Pick<Loaded, "words" | "show">) {
  return (
    <Form role="search" className="grid gap-3 px-4 pb-4 md:px-0">
      <TextField
        key={words}
        label="Username, name or email"
        name="q"
        type="search"
        defaultValue={words}
        autoComplete="off"
        maxLength={200}
      />
      <div className="flex flex-wrap items-end gap-3">
        <label className="grid gap-1 text-sm font-medium">
          Show
          <select key={show} name="show" defaultValue={show} className="input appearance-auto">
            {shows.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit" look="primary">
          Search
        </Button>
      </div>
    </Form>
  );
}

function AccountRow({ account }: { account: Loaded["accounts"][number] }) {
  const { id, username, name, email, posts, state, since } = account;
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
          {`${formatCount(posts, "post")} · since ${since}`}
          {state && <span className="font-semibold text-base-content">{` · ${state}`}</span>}
        </p>
      </div>
      <CaretRightIcon className="size-5 shrink-0 text-muted" aria-hidden />
    </li>
  );
}
