import * as words from "#messages/albums.json";
import { albumAt, albumPath } from "#app/features/albums/album-paths.ts";
import { InviteByLink } from "#app/features/albums/invite-by-link.tsx";
import { InvitePeople } from "#app/features/albums/invite-people.tsx";
import { MemberList } from "#app/features/albums/member-list.tsx";
import { albumAsMember } from "#app/features/albums/own-album.server.ts";
import { form, formAction, type Submission } from "#app/lib/forms/form-action.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { albumRoles, type AlbumRole } from "#shared/albums.ts";
import { isBlank } from "#shared/text.ts";
import type { Route } from "./+types/album-members";

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { member, features, publicUrl } = memberPage(context);
  const album = await albumAsMember(context, params.id);
  const q = url.searchParams.get("q") ?? "";
  const [{ items, hasLink, shownToGuests }, found] = await Promise.all([
    features.albumMembers.list(member, params.id),
    album.role === "owner" ? features.closeFriends.list(member, q, null) : null,
  ]);
  const there = new Set(items.map(({ id }) => id));
  const others = found?.items.filter(({ id }) => !there.has(id)) ?? [];
  const ids = others.map(({ id }) => id);
  const invitable = await features.albumMembers.invitable(member, ids);
  const people = others.map((one) => ({ ...one, follows: invitable.has(one.id) }));
  return {
    album,
    members: items,
    hasLink,
    shownToGuests,
    publicUrl,
    people,
    query: isBlank(q) ? null : q,
    viewerId: member.id,
  };
}

const back = {
  to: ({ params }: Submission) => `${albumAt(params)}/members`,
  restores: ["q"],
} as const;
const role = ({ fields }: Submission): AlbumRole =>
  albumRoles.find((one) => one === fields["role"]) ?? "member";
const withRole = { send: (submission: Submission) => ({ body: { role: role(submission) } }) };

export const action = formAction({
  put: form(({ albumMembers }) => albumMembers.put, { ...back, ...withRole }),
  remove: form(({ albumMembers }) => albumMembers.remove, back),
  leave: form(({ albumMembers }) => albumMembers.leave, { ...back, to: "/profile?tab=albums" }),
  guests: form(({ albumMembers }) => albumMembers.membership, {
    ...back,
    send: ({ fields }) => ({ body: { shownToGuests: fields["shownToGuests"] === "on" } }),
  }),
  invite: form(({ albumMembers }) => albumMembers.invite, {
    ...back,
    ...withRole,
    shows: ({ token }) => ({ token }),
  }),
  uninvite: form(({ albumMembers }) => albumMembers.uninvite, back),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: null });

export default function AlbumMembers({ loaderData, actionData }: Route.ComponentProps) {
  const { album, members, hasLink, shownToGuests, publicUrl, people, query, viewerId } = loaderData;
  const own = album.role === "owner";
  const problem = actionData && "problem" in actionData ? actionData.problem : null;
  const token = actionData && "token" in actionData ? actionData.token : null;
  return (
    <>
      <BackLink to={albumPath(album.id)}>{words.album}</BackLink>
      <ScreenTitle>{words.members}</ScreenTitle>
      <p role="alert" className="px-4 pb-2 text-danger empty:hidden md:px-0">
        {problem?.message}
      </p>
      <MemberList {...{ members, own, shownToGuests, viewerId }} />
      {own && (
        <>
          <InviteByLink
            link={token && `${publicUrl}/album/join?token=${token}`}
            hasLink={hasLink}
          />
          <InvitePeople
            people={people}
            query={query}
            viewerId={viewerId}
            at={albumPath(album.id, "members")}
          />
        </>
      )}
    </>
  );
}
