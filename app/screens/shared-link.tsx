import { data, redirect } from "react-router";
import * as words from "#messages/links.json";
import { refuse } from "#shared/errors.ts";
import { guestPath, type GuestLink } from "#shared/shared-links.ts";
import { photoParameter } from "#app/features/links/guest-album.tsx";
import { GuestPage } from "#app/features/links/guest-page.tsx";
import { shownParameter } from "#app/features/posts/veiled.tsx";
import { appContext, type PageContext } from "#app/lib/context.server.ts";
import { act, formAction } from "#app/lib/forms/form-action.server.ts";
import { setCookies } from "#app/lib/page/cookies.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { refusalPage } from "#app/lib/refusals.server.ts";
import { fill } from "#app/lib/text/messages.tsx";
import type { Route } from "./+types/shared-link";
import { Letter } from "#app/ui/letter.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...(loaderData && !loaderData.locked
    ? [{ title: documentTitle(fill(words.from, { name: loaderData.shown.maker.name })) }]
    : []),
  { name: "robots", content: "noindex" },
];

/** What a link shows, to who has its cookie; everybody else meets a link that has ended. */
export async function loader({ params: { id }, context, url }: Route.LoaderArgs) {
  const { features, client, head } = context.get(appContext);
  const { guests } = features;
  const { opened, cookie } = head
    ? { opened: await guests.find(id, client), cookie: null }
    : await guests.look(id, client);
  if (!opened) throw refuse("shared-link-ended");
  if (opened.locked) return { locked: true as const };
  const { kind, downloads, expiresAt, album, maker, bio } = opened.link;
  const { posts, alone } = await shownAt(guests, opened.link, url.searchParams);
  // Its one post is gone, or is for fewer people by now.
  if (kind === "post" && posts.items.length === 0) throw refuse("shared-link-ended");
  const link: GuestLink = { id, kind, downloads, expiresAt, album };
  const unveiled = url.searchParams.get(shownParameter);
  const shown = { link, maker, bio, posts, alone, unveiled };
  return data({ locked: false as const, shown }, { headers: setCookies(cookie ? [cookie] : []) });
}

type Guests = PageContext["features"]["guests"];
type Opened = Parameters<Guests["posts"]>[0];

/** A page of it, or one photo of an album alone; without that, its album. */
async function shownAt(guests: Guests, link: Opened, query: URLSearchParams) {
  const photo = query.get(photoParameter);
  if (photo === null) {
    const posts = await guests.posts(link, query.get("cursor"));
    return { posts, alone: null };
  }
  const one = await guests.onePhoto(link, photo);
  if (!one) throw redirect(guestPath(link.id));
  return { posts: { items: [one.post], nextCursor: null }, alone: { next: one.next } };
}

export const action = formAction({
  unlock: act(
    async ({ features, client }, { fields, params }) => {
      const id = params["id"] ?? "";
      const cookie = await features.guests
        .unlock(id, fields["password"] ?? "", client)
        .catch(endedAsPage);
      return redirect(guestPath(id), { headers: setCookies([cookie]) });
    },
    ["post"],
  ),
  report: act(
    async ({ features, client }, { fields, params }) => {
      const found = await features.guests
        .reported(params["id"] ?? "", fields["post"], client)
        .catch(endedAsPage);
      const { reason, words } = fields;
      await features.reports.reportAsGuest(found, { reason, words }, client.ip);
      return { sent: true as const };
    },
    ["post", "reason", "words"],
  ),
});

/** A link that ended meanwhile has its page; what else is refused stays beside the form. */
function endedAsPage(error: unknown): never {
  const { code } = error as { code?: string };
  throw code === "shared-link-ended" ? refusalPage(refuse("shared-link-ended")) : error;
}

export default function SharedLink({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData.locked) {
    const report = actionData && !("form" in actionData && actionData.form !== "report");
    return <GuestPage {...loaderData.shown} report={report ? actionData : undefined} />;
  }
  const refused = actionData && "problem" in actionData ? actionData : undefined;
  return <LockedPage error={refused?.problem.message} />;
}

/** A link with a password, until that is given. It says nothing of what is behind it. */
function LockedPage({ error }: { error: string | undefined }) {
  return (
    <Letter mark={words.sealed} number="✉" title={words.thisIsSealed}>
      <title>{documentTitle(words.aSealedLink)}</title>
      <p className="mt-3 text-pretty text-muted">{words.choseAPassword}</p>
      {/* By the browser itself: the cookie of the link goes with its own address alone. */}
      <form method="post" className="mt-6 grid gap-4">
        <input type="hidden" name="intent" value="unlock" />
        <PasswordField label={words.password} autoComplete="off" error={error} className="w-full" />
        <button className="btn justify-self-start btn-primary">{words.openIt}</button>
      </form>
    </Letter>
  );
}
