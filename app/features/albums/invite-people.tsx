import { Form } from "react-router";
import * as words from "#messages/albums.json";
import type { AccountSummary } from "#shared/views.ts";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { SearchPeople } from "#app/features/search/search-people.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { IntentButton } from "#app/ui/intent-button.tsx";

type Props = {
  /** `follows`: the viewer, who can invite them then */
  people: readonly (AccountSummary & { follows: boolean })[];
  query: string | null;
  viewerId: string;
  /** the page it is on */
  at: string;
};

/** Followers to invite, and a search. */
export function InvitePeople({ people, query, viewerId, at }: Props) {
  return (
    <section className="grid gap-3 pt-8 pb-8">
      <h2 className="px-4 font-semibold md:px-0">{words.inviteFollowers}</h2>
      <div className="px-4 md:px-0">
        <SearchPeople query={query} at={at} />
      </div>
      {people.length === 0 ? (
        <p className="px-4 text-muted md:px-0">
          {query === null ? words.followersWillBeHere : words.noOneFound}
        </p>
      ) : (
        <ul>
          {people.map((account) => (
            <AccountRow key={account.id} account={account} viewerId={viewerId}>
              {account.follows ? (
                <InviteForm account={account} />
              ) : (
                <span className="text-sm text-muted">{words.doesntFollowYou}</span>
              )}
            </AccountRow>
          ))}
        </ul>
      )}
    </section>
  );
}

const InviteForm = ({ account: { username, name } }: { account: AccountSummary }) => (
  <Form method="post" preventScrollReset>
    <input type="hidden" name="address" value={username} />
    <input type="hidden" name="role" value="member" />
    <IntentButton intent="put" look="accent" aria-label={fill(words.inviteName, { name })}>
      {words.invite}
    </IntentButton>
  </Form>
);
