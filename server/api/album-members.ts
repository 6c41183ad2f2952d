import { z } from "zod";
import { albumParams, albumPath } from "#server/api/albums.ts";
import { memberOf } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import { call } from "#server/api/declared-calls.ts";
import { address } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { albumRoleInput, albumToken } from "#shared/albums.inputs.ts";
import { albumInvitationSchema, albumMemberSchema } from "#shared/albums.schemas.ts";

type Deps = { features: Pick<Features, "albumMembers"> };

const { forAnybody, forMembers } = chapter("Albums");
const memberParams = z.object({ ...albumParams.shape, address });
const shownToGuests = z.boolean().describe("links for guests to this album may show your photos");
const token = albumToken.describe("of a link for members");

const declared = {
  list: forMembers(["not-found"], {
    summary: "The members of an album",
    description: "Its owner, then the others, latest first: 201 at most. For its members alone.",
    params: albumParams,
    response: {
      200: z.object({
        items: z.array(albumMemberSchema),
        hasLink: z.boolean(),
        shownToGuests: shownToGuests.nullable().describe("null: the caller is its owner"),
      }),
    },
  }),
  put: forMembers(["not-found", "not-yours", "not-follower", "album-members-full"], {
    summary: "Invite a follower into one of your albums, or change what a member may do",
    description: "Whoever is invited is a member at once, is notified, and may leave.",
    params: memberParams,
    body: albumRoleInput,
    response: { 200: albumMemberSchema },
  }),
  remove: forMembers(["not-found", "not-yours"], {
    summary: "Remove a member from one of your albums",
    description: "They take their photos along: those uploaded become posts for only them.",
    params: memberParams,
    response: noContent,
  }),
  leave: forMembers(["not-found"], {
    summary: "Leave an album",
    description: "You take your photos along: those you uploaded become posts for only you.",
    params: albumParams,
    response: noContent,
  }),
  membership: forMembers(["not-found"], {
    summary: "Let links for guests show your photos of an album, or take that back",
    description:
      "Links of its owner to the album then show the photos that you uploaded into it, and your posts in it that " +
      "are for everyone; without your name. Taken back, it holds at once.",
    params: albumParams,
    body: z.object({ shownToGuests }),
    response: noContent,
  }),
  invite: forMembers(["not-found", "not-yours"], {
    summary: "Make the link for members of one of your albums",
    description: "It takes the place of an earlier one, which then leads nowhere.",
    params: albumParams,
    body: albumRoleInput,
    response: { 201: z.object({ token: z.string().describe("shown only now") }) },
  }),
  uninvite: forMembers(["not-found", "not-yours"], {
    summary: "End the link for members of one of your albums",
    params: albumParams,
    response: noContent,
  }),
  invitation: forAnybody(["not-found"], {
    summary: "What a link for members leads to",
    querystring: z.object({ token }),
    response: { 200: albumInvitationSchema },
  }),
  join: forMembers(["not-found", "album-members-full"], {
    summary: "Join an album by its link for members",
    description: "Sent again, it changes nothing.",
    body: z.object({ token, shownToGuests: shownToGuests.default(false) }),
    response: { 200: z.object({ id: z.uuid().describe("the album's") }) },
  }),
};

/** Who is in an album, and how they get in. */
export function albumMemberCalls({ features: { albumMembers } }: Deps) {
  const member = `${albumPath}/members/:address`;
  const join = "/api/albums/join";
  return {
    list: call("GET", `${albumPath}/members`, declared.list, async (request) =>
      albumMembers.list(memberOf(request), request.params.id),
    ),
    put: call("PUT", member, declared.put, async (request) => {
      const { id, address: username } = request.params;
      return albumMembers.put(memberOf(request), id, username, request.body.role);
    }),
    remove: call("DELETE", member, declared.remove, async (request) =>
      albumMembers.remove(memberOf(request), request.params.id, request.params.address),
    ),
    leave: call("DELETE", `${albumPath}/membership`, declared.leave, async (request) =>
      albumMembers.leave(memberOf(request), request.params.id),
    ),
    membership: call("PUT", `${albumPath}/membership`, declared.membership, async (request) =>
      albumMembers.showToGuests(memberOf(request), request.params.id, request.body.shownToGuests),
    ),
    invite: call("POST", `${albumPath}/invitation`, declared.invite, async (request) =>
      albumMembers.makeLink(memberOf(request), request.params.id, request.body.role),
    ),
    uninvite: call("DELETE", `${albumPath}/invitation`, declared.uninvite, async (request) =>
      albumMembers.endLink(memberOf(request), request.params.id),
    ),
    invitation: call("GET", join, declared.invitation, async ({ viewer, query }) =>
      albumMembers.invitation(viewer, query.token),
    ),
    join: call("POST", join, declared.join, async (request) =>
      albumMembers.join(memberOf(request), request.body.token, request.body.shownToGuests),
    ),
  };
}
