import { Form, useNavigation } from "react-router";
import * as words from "#messages/links.json";
import { limits } from "#shared/limits.ts";
import type { SharedLink } from "#shared/shared-links.ts";
import { kindWords } from "#app/features/links/kinds.ts";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { wholeCount } from "#app/lib/text/counts.ts";
import { fill, formOf, rich } from "#app/lib/text/messages.tsx";
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
      <SettingsTitle>{words.sharedLinks}</SettingsTitle>
      <div className="grid gap-4 pb-8">
        <p className="px-4 text-sm text-pretty text-muted md:px-0">{words.whatLinksDo}</p>
        {links.length > 0 ? (
          <>
            <h2 className="px-4 font-semibold md:px-0">
              {fill(words.countOf, { count: links.length, most: limits.sharedLinks.most })}
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
            title={words.noneShared}
            action={<ButtonLink to="/profile/link">{words.shareYourProfile}</ButtonLink>}
          >
            <p>{words.eachToo}</p>
          </EmptyState>
        )}
      </div>
    </>
  );
}

function traitsOf({ password, downloads }: SharedLink): string | null {
  if (password && downloads) return words.withBoth;
  if (password) return words.withPassword;
  return downloads ? words.withDownloads : null;
}

function Row({ link }: { link: SharedLink }) {
  const { id, kind, album, picture, opened, lastOpenedAt, expiresAt } = link;
  const timeZone = useTimeZone();
  const traits = traitsOf(link);
  const ending = useNavigation().formData?.get("id") === id;
  const { forever, until } = kindWords[kind];
  const called = expiresAt === null ? forever : until;
  const date = expiresAt === null ? "" : formatDate(expiresAt, timeZone);
  return (
    <li className="-mb-px flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 sm:flex-nowrap">
      <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-field bg-base-200 text-muted">
        {picture ? (
          <Photo photo={picture} alt="" sizes="56px" className={`size-14 ${focusClass(picture)}`} />
        ) : (
          <LinkSimpleIcon className="size-6" aria-hidden />
        )}
      </span>
      <div className="min-w-0 grow basis-48">
        <p className="font-medium wrap-anywhere">
          {rich(called, { album: <bdi>{album?.title}</bdi>, date })}
        </p>
        <p className="text-sm text-muted">
          {lastOpenedAt === null
            ? words.notOpenedYet
            : rich(formOf(words.opened, opened), {
                count: wholeCount(opened),
                time: <PostTime at={lastOpenedAt} />,
              })}
          {traits && ` · ${traits}`}
        </p>
      </div>
      <Form method="post" className="ms-18 shrink-0 sm:ms-0">
        <input type="hidden" name="id" value={id} />
        <Button
          type="submit"
          pending={ending}
          aria-label={fill(words.endThisLink, {
            link: fill(called, { album: album?.title ?? "", date }),
          })}
        >
          {words.end}
        </Button>
      </Form>
    </li>
  );
}
