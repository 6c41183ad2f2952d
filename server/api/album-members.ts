import { z } from "zod";
import { albumParams, albumPath } from "#server/api/albums.ts";
import { noContent } from "#server/api/declare.ts";
import { callsOf } from "#server/api/declared-calls.ts";
import { address } from "#server/api/parameters.ts";
import { albumRoleInput, albumToken } from "#shared/albums.inputs.ts";
import { albumInvitationSchema, albumMemberSchema } from "#shared/albums.schemas.ts";

const { forAnybody, forMembers } = callsOf("Albums");
const memberParams = z.object({ ...albumParams.shape, address });
const shownToGuests = z.boolean().describe("links for guests to this album may show your photos");
const token = albumToken.describe("of a link for members");

const member = `${albumPath}/members/:address` as const;
const join = "/api/albums/join";

/** Who is in an album, and how they get in. */
export const albumMemberCalls = {
  list: forMembers(`GET ${albumPath}/members`, {
    refuses: ["not-found"],
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
    handler: ({ albumMembers }, { viewer, params }) => albumMembers.list(viewer, params.id),
  }),
  put: forMembers(`PUT ${member}`, {
    refuses: ["not-found", "not-yours", "not-follower", "album-members-full"],
    summary: "Invite a follower into one of your albums, or change what a member may do",
    description: "Whoever is invited is a member at once, is notified, and may leave.",
    params: memberParams,
    body: albumRoleInput,
    response: { 200: albumMemberSchema },
    handler: ({ albumMembers }, { viewer, params: { id, address: username }, body }) =>
      albumMembers.put(viewer, id, username, body.role),
  }),
  remove: forMembers(`DELETE ${member}`, {
    refuses: ["not-found", "not-yours"],
    summary: "Remove a member from one of your albums",
    description: "They take their photos along: those uploaded become posts for only them.",
    params: memberParams,
    response: noContent,
    handler: ({ albumMembers }, { viewer, params }) =>
      albumMembers.remove(viewer, params.id, params.address),
  }),
  leave: forMembers(`DELETE ${albumPath}/membership`, {
    refuses: ["not-found"],
    summary: "Leave an album",
    description: "You take your photos along: those you uploaded become posts for only you.",
    params: albumParams,
    response: noContent,
    handler: ({ albumMembers }, { viewer, params }) => albumMembers.leave(viewer, params.id),
  }),
  membership: forMembers(`PUT ${albumPath}/membership`, {
    refuses: ["not-found"],
    summary: "Let links for guests show your photos of an album, or take that back",
    description:
      "Links of its owner to the album then show the photos that you uploaded into it, and your posts in it that " +
      "are for everyone; without your name. Taken back, it holds at once.",
    params: albumParams,
    body: z.object({ shownToGuests }),
    response: noContent,
    handler: ({ albumMembers }, { viewer, params, body }) =>
      albumMembers.showToGuests(viewer, params.id, body.shownToGuests),
  }),
  invite: forMembers(`POST ${albumPath}/invitation`, {
    refuses: ["not-found", "not-yours"],
    summary: "Make the link for members of one of your albums",
    description: "It takes the place of an earlier one, which then leads nowhere.",
    params: albumParams,
    body: albumRoleInput,
    response: { 201: z.object({ token: z.string().describe("shown only now") }) },
    handler: ({ albumMembers }, { viewer, params, body }) =>
      albumMembers.makeLink(viewer, params.id, body.role),
  }),
  uninvite: forMembers(`DELETE ${albumPath}/invitation`, {
    refuses: ["not-found", "not-yours"],
    summary: "End the link for members of one of your albums",
    params: albumParams,
    response: noContent,
    handler: ({ albumMembers }, { viewer, params }) => albumMembers.endLink(viewer, params.id),
  }),
  invitation: forAnybody(`GET ${join}`, {
    refuses: ["not-found"],
    summary: "What a link for members leads to",
    querystring: z.object({ token }),
    response: { 200: albumInvitationSchema },
    handler: ({ albumMembers }, { viewer, query }) => albumMembers.invitation(viewer, query.token),
  }),
  join: forMembers(`POST ${join}`, {
    refuses: ["not-found", "album-members-full"],
    summary: "Join an album by its link for members",
    description: "Sent again, it changes nothing.",
    body: z.object({ token, shownToGuests: shownToGuests.default(false) }),
    response: { 200: z.object({ id: z.uuid().describe("the album's") }) },
    handler: ({ albumMembers }, { viewer, body }) =>
      albumMembers.join(viewer, body.token, body.shownToGuests),
  }),
};
