import { Form, useNavigation } from "react-router";
import { limits } from "#shared/limits.ts";
import type { SharedLink } from "#shared/shared-links.ts";
import { kindWords } from "#app/features/links/kinds.ts";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { LinkSimpleIcon } from "#app/ui/icons.ts";
import { focusClass, Photo } from "#app/ui/photo.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import type { Route } from "./+types/shared-links";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { links: await features.sharedLinks.list(member) };
}

export const action = formAction({
  [unnamed]: form(({ sharedLinks }) => sharedLinks.end, {
    // Ended already, in another tab: nothing to do.
    leads: (code) => (code === "not-found" ? "/settings/links" : undefined),
    to: "/settings/links",
  }),
});

/** What the member shows to guests, and until when. */
export default function SharedLinks({ loaderData: { links } }: Route.ComponentProps) {
  return (
    <>
      <SettingsTitle>Shared links</SettingsTitle>
      <div className="grid gap-4 pb-8">
        <p className="px-4 text-pretty text-muted md:px-0">
          Whoever has one of these links sees what it shows, without an account. An ended link opens
          nothing any more, at once. We don't store the addresses: for one that got lost, make a new
          link.
        </p>
        {links.length > 0 ? (
          <>
            <h2 className="px-4 font-semibold md:px-0">
              {links.length} of {limits.sharedLinks.most}
            </h2>
            <ul className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0">
              {links.map((link) => (
                <Row key={link.id} link={link} />
              ))}
            </ul>
          </>
        ) : (
          <EmptyState
            drawing="plane"
            title="You haven't shared any link"
            action={<ButtonLink to="/profile/link">Share your profile with a guest</ButtonLink>}
          >
            <p>You can share each of your posts and albums, too, from its own page.</p>
          </EmptyState>
        )}
      </div>
    </>
  );
}

function Row({ link }: { link: SharedLink }) {
  const { id, kind, album, picture, opened, lastOpenedAt, expiresAt } = link;
  const timeZone = useTimeZone();
  const ending = useNavigation().formData?.get("id") === id;
  const traits = [link.password && "password", link.downloads && "downloads"].filter(Boolean);
  const what = album ? `Album “${album.title}”` : kindWords[kind].own;
  const until = expiresAt === null ? "no end date" : `until ${formatDate(expiresAt, timeZone)}`;
  return (
    <li className="-mb-px flex items-center gap-4 border-b border-line px-4 py-3">
      <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-field bg-base-200 text-muted">
        {picture ? (
          <Photo
            photo={picture}
            alt=""
            sizes="56px"
            fit="cover"
            className={`size-14 ${focusClass(picture)}`}
          />
        ) : (
          <LinkSimpleIcon className="size-6" aria-hidden />
        )}
      </span>
      <div className="min-w-0 grow">
        <p className="font-medium">
          {what}, {until}
        </p>
        <p className="text-sm text-muted">
          {opened === 0 ? "Not opened yet" : `Opened ${opened === 1 ? "once" : `${opened} times`}`}
          {lastOpenedAt !== null && (
            <>
              , last <PostTime at={lastOpenedAt} />
            </>
          )}
          {traits.length > 0 && ` · with ${traits.join(" and ")}`}
        </p>
      </div>
      <Form method="post" className="shrink-0">
        <input type="hidden" name="id" value={id} />
        <Button type="submit" pending={ending} aria-label={`End this link: ${what}, ${until}`}>
          End
        </Button>
      </Form>
    </li>
  );
}
