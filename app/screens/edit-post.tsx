import { data, redirect } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { EditForm } from "#app/features/posts/editor/edit-form.tsx";
import {
  broughtUpToDate,
  inputOf,
  movedBy,
  readState,
  takeFile,
  withoutAdded,
} from "#app/features/posts/editor/edited-form.server.ts";
import { unlessAway } from "#app/features/posts/editor/unless-away.ts";
import { appContext } from "#app/lib/context.server.ts";
import {
  orNotFound,
  orRefusalPage,
  refusedInit,
  requireMember,
  retryAfterHeaders,
} from "#app/lib/refusals.server.ts";
import { pathOfPost } from "#app/lib/text/links.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/edit-post.ts";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const member = requireMember({ viewer });
  const { address, number } = params;
  const post = orNotFound(await orRefusalPage(features.posts.get(member, address, Number(number))));
  const details = await features.posts.details(member, address, Number(number));
  return { post: orNotFound(post.mine ? post : null), shows: orNotFound(details) };
}

/** Only Retry-After, where too much was written. */
export const headers = retryAfterHeaders;

/** Saves; a button beside a photo, or a chosen one, brings the form back as it stands. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const form = await orRefusalPage(readForm(request, { maxFiles: 1 }));
  const { go = "save" } = form.fields;
  const number = Number(params.number);
  let state = readState(form);
  try {
    if (!viewer) throw refuse("sign-in-required");
    state = await takeFile(features, viewer, form, state);
    if (go !== "save") return data({ state: movedBy(state, go), problem: null, now: null });
    await features.posts.edit(viewer, params.address, number, inputOf(state));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, fields } = error;
    let now: string | null = null;
    if (code === "picture-unknown") state = withoutAdded(state);
    if (code === "post-changed") {
      const post = orNotFound(await features.posts.get(viewer, params.address, number));
      now = post.caption;
      state = broughtUpToDate(state, post);
    }
    return data({ state, problem: { code, message, fields }, now }, refusedInit(error));
  }
  throw redirect(`/post/${encodeURIComponent(params.address)}/${number}`);
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => unlessAway(serverAction);

export default function EditPost({
  loaderData: { post, shows },
  actionData,
}: Route.ComponentProps) {
  return (
    <>
      <title>Edit post · Postcard</title>
      <BackLink to={pathOfPost(post)}>Post</BackLink>
      <PageTitle>Edit post</PageTitle>
      <EditForm post={post} shows={shows} returned={actionData} />
    </>
  );
}
