import { Form } from "react-router";
import type { AlbumMember } from "#shared/views.ts";
import { AccountRow } from "#app/features/follows/account-row.tsx";
import { Button } from "#app/ui/button.tsx";
import { FoldRow } from "#app/ui/fold-row.tsx";

const roleNames = { owner: "Owner", contributor: "Can add photos", member: "Can look" };

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
          <FoldRow label="Leave this album" value="">
            <Form method="post" className="grid gap-3">
              <p className="text-pretty text-muted">
                You take your photos along: those you added become posts that only you can see.
              </p>
              <Button type="submit" name="intent" value="leave" look="danger">
                Leave
              </Button>
            </Form>
          </FoldRow>
        </div>
      )}
    </>
  );
}

/** The owner's links for guests show somebody else's photos only where they say so themselves. */
const GuestsForm = ({ shown }: { shown: boolean }) => (
  <FoldRow label="Your photos in links for guests" value={shown ? "Shown" : "Hidden"}>
    <Form method="post" preventScrollReset className="grid justify-items-start gap-3">
      <input type="hidden" name="shownToGuests" value={shown ? "" : "on"} />
      <p className="text-pretty text-muted">
        {shown
          ? "The owner's links show your photos in this album to people without an account, without your name. Take that back and they are gone at once."
          : "The owner can share this album by a link with people without an account. They don't see your photos unless you allow it. Your name is never shown."}
      </p>
      <Button type="submit" name="intent" value="guests">
        {shown ? "Hide my photos" : "Allow links to show my photos"}
      </Button>
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
        <Button type="submit" name="intent" value="put" aria-label={`${changeTo[other]}: ${name}`}>
          {changeTo[other]}
        </Button>
      </Form>
      <details className="relative">
        <summary
          className="btn btn-ghost text-danger [&::-webkit-details-marker]:hidden"
          aria-label={`Remove ${name}`}
        >
          Remove
        </summary>
        <Form
          method="post"
          preventScrollReset
          className="absolute end-0 top-full z-10 mt-1 grid w-72 gap-3 rounded-box border border-line bg-base-100 p-4 shadow-lg"
        >
          {address}
          <p className="text-pretty text-muted">
            <bdi>{name}</bdi> won’t see the album as a member any more, and takes their photos
            along: those they added become posts that only they can see.
          </p>
          <Button
            type="submit"
            name="intent"
            value="remove"
            look="delete"
            aria-label={`Remove ${name} from this album`}
          >
            Remove
          </Button>
        </Form>
      </details>
    </div>
  );
}

const changeTo = { contributor: "Let them add photos", member: "Only let them look" };
