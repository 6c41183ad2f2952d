import { data, redirect } from "react-router";
import { limits } from "#shared/limits.ts";
import { tagAsked } from "#shared/tags.ts";
import { close } from "#messages/common.json";
import { newPost } from "#messages/composer.json";
import { Composer } from "#app/features/posts/composer/composer.tsx";
import { WritingBar } from "#app/features/posts/composer/writing-bar.tsx";
import { choicesIn } from "#app/features/posts/composer/choices-in.ts";
import { publishFrom } from "#app/features/posts/composer/publish-from.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { memberPage, problemOfRefusal, refusedInit } from "#app/lib/refusals.server.ts";
import { postedPath } from "#app/lib/posted-path.ts";
import type { Route } from "./+types/upload";

export async function loader({ url, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [{ altReminder, showCamera }, next] = await Promise.all([
    features.settings.get(member),
    features.posts.nextAudience(member),
  ]);
  const tag = (url.searchParams.get("tag") ?? "").slice(0, limits.tagCodeUnits).trim();
  return {
    // Words that somebody else's link could bring would look like one's own; a tag hardly does.
    caption: tagAsked(tag) === null ? "" : `${tag} `,
    accountId: member.id,
    clientKey: crypto.randomUUID(),
    altReminder,
    showCamera,
    ...next,
  };
}

/** The form without scripts: photos and text in one request. */
export async function action({ request, context }: Route.ActionArgs) {
  const { member, features, readForm, timeZone } = memberPage(context);
  const bounds = { maxFiles: limits.photosPerPost, several: true };
  const form = await readForm(request, bounds);
  const outcome = await publishFrom(features, member, form, timeZone);
  if ("number" in outcome) throw redirect(postedPath(outcome));
  const { refusal, photos } = outcome;
  const { caption = "", alt = "" } = form.fields;
  const problem = problemOfRefusal(refusal);
  const shows = choicesIn(form.fields);
  return data({ caption, alt, photos, shows, problem }, refusedInit(refusal));
}

export default function Upload({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[935px] lg:p-6">
      <title>{documentTitle(newPost)}</title>
      <WritingBar title={newPost} leave={close} to="/" />
      <Composer {...loaderData} returned={actionData} />
    </div>
  );
}
