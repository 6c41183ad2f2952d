import { LinkForm, restored, type Subject } from "#app/features/links/link-form.tsx";
import { MadeLink } from "#app/features/links/made-link.tsx";
import { findOwnPost } from "#app/features/posts/find-post.server.ts";
import { form, formAction, unnamed, type Submission } from "#app/lib/forms/form-action.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { qrCode } from "#app/lib/page/qr-code.server.ts";
import { memberPage, orRefusalPage } from "#app/lib/refusals.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/make-link";

/** The page that makes a link for guests: to the post in its address, or to one's profile. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const { address, number } = params as Submission["params"];
  if (address === undefined || number === undefined) {
    const shown = await orRefusalPage(features.sharedLinks.countsOf(member));
    const subject: Subject = { kind: "profile", ...shown };
    return { subject, back: "/profile" };
  }
  const post = await orRefusalPage(findOwnPost(features, member, { address, number }));
  const { audience, pictures } = post;
  const of = { audience, isPrivate: post.private, photos: pictures.length };
  const subject: Subject = { kind: "post", ...of };
  return { subject, back: pathOfPost(post) };
}

export const action = formAction({
  [unnamed]: form(({ sharedLinks }) => sharedLinks.make, {
    send: ({ fields, params: { number } }) => ({
      body: {
        ...fields,
        ...(number === undefined ? { kind: "profile" } : { kind: "post", number }),
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

export default function MakeLink({ loaderData, actionData }: Route.ComponentProps) {
  const { subject, back } = loaderData;
  const made = actionData && "made" in actionData ? actionData.made : null;
  const returned = actionData && "problem" in actionData ? actionData : undefined;
  return (
    <div data-desk="" className="mx-auto max-w-column lg:p-6">
      <BackLink to={back}>{subject.kind === "post" ? "Your post" : "Your profile"}</BackLink>
      <ScreenTitle title="Share with a guest">
        {made
          ? "Ready to send"
          : `Share ${subject.kind === "post" ? "this post" : "your profile"} with a guest`}
      </ScreenTitle>
      {made ? (
        <MadeLink made={made} back={back} />
      ) : (
        <>
          <p className="px-4 pb-4 text-pretty text-muted md:px-0">
            For people without an account: whoever has the link sees the photos and words, and
            nobody's comments.
          </p>
          <LinkForm {...{ subject, back, returned }} />
        </>
      )}
    </div>
  );
}
