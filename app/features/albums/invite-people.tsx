import { Form } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { Button } from "#app/ui/button.tsx";
import { MagnifyingGlassIcon } from "#app/ui/icons.ts";
import { TextField } from "#app/ui/text-field.tsx";

type Props = { people: readonly AccountSummary[]; query: string | null; viewerId: string };

/** Followers to invite, and a search. */
export function InvitePeople({ people, query, viewerId }: Props) {
  return (
    <section className="grid gap-3 pt-8 pb-8">
      <h2 className="px-4 font-semibold md:px-0">Invite followers</h2>
      <search className="px-4 md:px-0">
        <Form preventScrollReset>
          <TextField
            name="q"
            type="search"
            label="Search people"
            placeholder="A name"
            autoComplete="off"
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
      {people.length === 0 ? (
        <p className="px-4 text-muted md:px-0">
          {query === null ? "People who follow you will be here." : "No one found."}
        </p>
      ) : (
        <ul>
          {people.map((account) => (
            <AccountRow
              key={account.id}
              account={account}
              viewerId={viewerId}
              about={<bdi className="wrap-anywhere">@{account.username}</bdi>}
            >
              <Form method="post" preventScrollReset>
                <input type="hidden" name="address" value={account.username} />
                <input type="hidden" name="role" value="member" />
                <Button
                  type="submit"
                  name="intent"
                  value="put"
                  look="accent"
                  aria-label={`Invite ${account.name}`}
                >
                  Invite
                </Button>
              </Form>
            </AccountRow>
          ))}
        </ul>
      )}
    </section>
  );
}
