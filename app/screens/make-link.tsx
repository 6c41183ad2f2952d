import * as words from "#messages/links.json";
import { albumPath } from "#app/features/albums/album-paths.ts";
import { LinkForm, restored, type Subject } from "#app/features/links/link-form.tsx";
import { MadeLink } from "#app/features/links/made-link.tsx";
import { findOwnPost } from "#app/features/posts/find-post.server.ts";
import { form, formAction, unnamed, type Submission } from "#app/lib/forms/form-action.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { qrCode } from "#app/lib/page/qr-code.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/make-link";

/** The page that makes a link for guests: to the post or album in its address, or to one's profile. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { address, number, id } = params as Submission["params"];
  if (id !== undefined) {
    const album = await features.sharedLinks.albumOf(member, id);
    const subject: Subject = { kind: "album", ...album };
    return { subject, back: albumPath(id) };
  }
  if (address === undefined || number === undefined) {
    const shown = await features.sharedLinks.countsOf(member);
    const subject: Subject = { kind: "profile", ...shown };
    return { subject, back: "/profile" };
  }
  const post = await findOwnPost(features, member, { address, number });
  const { audience, pictures } = post;
  const of = { audience, isPrivate: post.private, photos: pictures.length };
  const subject: Subject = { kind: "post", ...of };
  return { subject, back: pathOfPost(post) };
}

const subjectAt = ({ number, id }: Submission["params"]) =>
  id === undefined
    ? number === undefined
      ? { kind: "profile" }
      : { kind: "post", number }
    : { kind: "album", album: id };

export const action = formAction({
  [unnamed]: form(({ sharedLinks }) => sharedLinks.make, {
    send: ({ fields, params }) => ({
      body: {
        ...fields,
        ...subjectAt(params),
        downloads: fields["downloads"] === "on",
        previews: fields["previews"] === "on",
      },
    }),
    restores: restored,
    shows: ({ link, address }) => ({ made: { link, address, qr: qrCode(address) } }),
  }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: {} });

const subjectWords = {
  post: { backTo: words.yourPost, share: words.shareThisPost },
  profile: { backTo: words.yourProfile, share: words.shareYourProfile },
  album: { backTo: words.yourAlbum, share: words.shareThisAlbum },
};

export default function MakeLink({ loaderData, actionData }: Route.ComponentProps) {
  const { subject, back } = loaderData;
  const { backTo, share } = subjectWords[subject.kind];
  const made = actionData && "made" in actionData ? actionData.made : null;
  const returned = actionData && "problem" in actionData ? actionData : undefined;
  return (
    <div data-desk="" className="mx-auto max-w-column lg:p-6">
      <BackLink to={back}>{backTo}</BackLink>
      <ScreenTitle title={words.shareWithAGuest}>{made ? words.readyToSend : share}</ScreenTitle>
      {made ? (
        <MadeLink made={made} back={back} />
      ) : (
        <>
          <p className="px-4 pb-4 text-pretty text-muted md:px-0">{words.forPeopleWithout}</p>
          <LinkForm {...{ subject, back, returned }} />
        </>
      )}
    </div>
  );
}
