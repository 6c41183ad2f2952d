import { useState } from "react";
import * as words from "#messages/bring.json";
import type { AccountElsewhere } from "#shared/views.ts";
import { peopleOf } from "#app/features/archive/bring/import-calls.ts";
import { FollowRow } from "#app/features/follows/follow-row.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { Verified } from "#app/features/profiles/extra-fields.tsx";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";

type Props = {
  /** whom the account of an export followed */
  followed: readonly string[];
  viewerId: string;
};

/** Who of those one followed elsewhere is here. Their names are sent, so it is a press of its own. */
export function FollowedPeople({ followed, viewerId }: Props) {
  const [people, setPeople] = useState<AccountElsewhere[] | null>(null);
  const { send, sending, problem } = useSending();
  const find = async () => setPeople(await peopleOf(followed));

  return (
    <section
      aria-label={words.peopleYouFollowed}
      className="mx-4 grid gap-3 rounded-box border border-line bg-base-100 px-4 py-3 md:mx-0 md:px-5"
    >
      <h2 className="font-medium">{words.peopleYouFollowed}</h2>
      {problem ? <FormAlert text={problem.message} /> : null}
      {people ? (
        <p role="status" className="text-sm text-pretty text-muted">
          {people.length === 0 ? words.nobodyHere : counted(words.foundHere, people.length)}
        </p>
      ) : (
        <>
          <p className="text-sm text-pretty text-muted">
            {counted(words.followedThere, followed.length)}
          </p>
          <Button
            look="outline"
            className="justify-self-start"
            pending={sending}
            onClick={() => void send(find)}
          >
            {words.findThem}
          </Button>
        </>
      )}
      {people && people.length > 0 ? (
        <ul className="-me-4 md:me-0 [&_a]:ps-0">
          {people.map((account) => (
            <FollowRow
              key={account.id}
              account={account}
              viewerId={viewerId}
              about={<About account={account} />}
            />
          ))}
        </ul>
      ) : null}
    </section>
  );
}

/** By which name it was found: anybody may write one that is not verified. */
const About = ({ account: { username, elsewhere, verified } }: { account: AccountElsewhere }) => (
  <>
    <bdi className="block truncate">@{username}</bdi>
    <span className="block wrap-anywhere">
      {verified && <Verified />}
      <bdi dir="ltr">{elsewhere}</bdi>
    </span>
  </>
);
