import { Form, redirect } from "react-router";
import * as words from "#messages/albums.json";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { appContext } from "#app/lib/context.server.ts";
import { form, formAction, unnamed, type Submission } from "#app/lib/forms/form-action.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { CheckField } from "#app/ui/check-field.tsx";
import type { Route } from "./+types/join-album";

/** What a link for members leads to, before one joins. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const token = url.searchParams.get("token") ?? "";
  const invitation = await features.albumMembers.invitation(viewer, token);
  if (invitation.joined) throw redirect(albumPath(invitation.joined));
  return { invitation, token, signedIn: viewer !== null };
}

const joining = ({ query, fields }: Submission) => query.get("token") ?? fields["token"] ?? "";

export const action = formAction({
  [unnamed]: form(({ albumMembers }) => albumMembers.join, {
    send: (submission) => ({
      body: {
        token: joining(submission),
        shownToGuests: submission.fields["shownToGuests"] === "on",
      },
    }),
    to: (_, { id }) => albumPath(id),
    visitor: (submission) => `/album/join?token=${encodeURIComponent(joining(submission))}`,
  }),
});

export default function JoinAlbum({ loaderData }: Route.ComponentProps) {
  const { invitation, token, signedIn } = loaderData;
  const { title, owner, role } = invitation;
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-5 px-4 py-16 text-center">
      <title>{documentTitle(words.joinAnAlbum)}</title>
      <Avatar name={owner.name} image={owner.avatar} size="xl" />
      <p className="text-muted">{rich(words.invitesYouTo, { name: <bdi>{owner.name}</bdi> })}</p>
      <h1 dir="auto" className="font-wordmark text-3xl text-balance wrap-anywhere">
        {title}
      </h1>
      <p className="text-pretty text-muted">
        {role === "contributor" ? words.joinToAdd : words.joinToLook}
      </p>
      <Form method="post" className="grid gap-5">
        <input type="hidden" name="token" value={token} />
        {role === "contributor" && signedIn && (
          <div className="text-start">
            <CheckField name="shownToGuests" label={words.allowLinks} hint={words.allowLinksHint} />
          </div>
        )}
        <div className="flex flex-wrap justify-center gap-3">
          <Submit>{signedIn ? words.join : words.signInAndJoin}</Submit>
          <ButtonLink to="/">{words.notNow}</ButtonLink>
        </div>
      </Form>
    </div>
  );
}
