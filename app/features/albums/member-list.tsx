import { Form } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/albums.json";
import type { AlbumMember } from "#shared/views.ts";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { IntentButton } from "#app/ui/intent-button.tsx";
import { FoldRow } from "#app/ui/fold-row.tsx";

const roleNames = {
  owner: words.owner,
  contributor: words.canAddPhotos,
  member: words.canLook,
};

type Props = {
  members: readonly AlbumMember[];
  own: boolean;
  /** whether links for guests may show the viewer's photos; null: the owner's always */
  shownToGuests: boolean | null;
  viewerId: string;
};

/** Who is in an album. Its owner says who adds photos, and removes; everybody else may leave. */
export function MemberList({ members, own, shownToGuests, viewerId }: Props) {
  return (
    <>
      <ul>
        {members.map((member) => (
          <AccountRow
            key={member.id}
            account={member}
            viewerId={viewerId}
            about={roleNames[member.role]}
          >
            {own && member.role !== "owner" && <MemberForm member={member} />}
          </AccountRow>
        ))}
      </ul>
      {!own && (
        <div className="pt-4">
          {shownToGuests !== null && <GuestsForm shown={shownToGuests} />}
          <FoldRow label={words.leaveThisAlbum} value="">
            <Form method="post" className="grid gap-3">
              <p className="text-pretty text-muted">{words.leavingTakes}</p>
              <IntentButton intent="leave" look="danger">
                {words.leave}
              </IntentButton>
            </Form>
          </FoldRow>
        </div>
      )}
    </>
  );
}

/** The owner's links for guests show somebody else's photos only where they say so themselves. */
const GuestsForm = ({ shown }: { shown: boolean }) => (
  <FoldRow label={words.yourPhotosInLinks} value={shown ? words.shown : words.hidden}>
    <Form method="post" preventScrollReset className="grid justify-items-start gap-3">
      <input type="hidden" name="shownToGuests" value={shown ? "" : "on"} />
      <p className="text-pretty text-muted">
        {shown ? words.shownToGuests : words.hiddenFromGuests}
      </p>
      <IntentButton intent="guests">{shown ? words.hideMyPhotos : words.allowLinks}</IntentButton>
    </Form>
  </FoldRow>
);

function MemberForm({ member: { username, name, role } }: { member: AlbumMember }) {
  const other = role === "contributor" ? "member" : "contributor";
  const address = <input type="hidden" name="address" value={username} />;
  return (
    <div className="flex flex-wrap items-start justify-end gap-2 py-1 max-sm:basis-full">
      <Form method="post" preventScrollReset>
        {address}
        <input type="hidden" name="role" value={other} />
        <IntentButton intent="put" aria-label={fill(changeTo[other].named, { name })}>
          {changeTo[other].text}
        </IntentButton>
      </Form>
      <details className="relative">
        <summary
          className="btn btn-ghost text-danger [&::-webkit-details-marker]:hidden"
          aria-label={fill(words.removeName, { name })}
        >
          {common.remove}
        </summary>
        <Form
          method="post"
          preventScrollReset
          className="absolute end-0 top-full z-10 mt-1 grid w-72 gap-3 rounded-box border border-line bg-base-100 p-4 shadow-lg"
        >
          {address}
          <p className="text-pretty text-muted">
            {rich(words.removingTakes, { name: <bdi>{name}</bdi> })}
          </p>
          <IntentButton
            intent="remove"
            look="delete"
            aria-label={fill(words.removeFromAlbum, { name })}
          >
            {common.remove}
          </IntentButton>
        </Form>
      </details>
    </div>
  );
}

const changeTo = {
  contributor: { text: words.letAdd, named: words.letAddName },
  member: { text: words.onlyLook, named: words.onlyLookName },
};
