import { data, redirect } from "react-router";
import { isRefusal, refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/editor.json";
import { WritingBar } from "#app/features/posts/composer/writing-bar.tsx";
import type { Returned } from "#app/features/posts/editor/edit-state.ts";
import { EditForm } from "#app/features/posts/editor/edit-form.tsx";
import {
  broughtUpToDate,
  inputOf,
  movedBy,
  readState,
  takeFiles,
  withoutAdded,
} from "#app/features/posts/editor/edited-form.server.ts";
import { findOwnPost, refOf } from "#app/features/posts/find-post.server.ts";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { appContext } from "#app/lib/context.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { memberPage, orNotFound, problemOfRefusal, refusedInit } from "#app/lib/refusals.server.ts";
import { pathOfPost, postAt } from "#app/lib/text/links.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import type { Route } from "./+types/edit-post";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const post = await findOwnPost(features, member, params);
  const [details, suggestions] = await Promise.all([
    features.posts.details(member, params.address, post.number),
    features.altSuggestions.ofPost(member, refOf(post)),
  ]);
  return { post, shows: orNotFound(details), suggestions };
}

/** Saves; a button beside a photo, or a chosen file, brings the form back with the change. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const form = await readForm(request, { maxFiles: limits.photosPerPost, several: true });
  const { go = "save" } = form.fields;
  const number = Number(params.number);
  let state = readState(form);
  try {
    if (!viewer) throw refuse("sign-in-required");
    const received = await takeFiles(features, viewer, form, state);
    state = received.state;
    const [refused] = received.refusals;
    if (refused) throw refused;
    if (go !== "save") return data({ state: movedBy(state, go), problem: null, now: null });
    await features.posts.edit(viewer, params.address, number, inputOf(state));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code } = error;
    let now: Returned["now"] = null;
    if (code === "picture-unknown") state = withoutAdded(state);
    if (code === "post-changed") {
      const post = orNotFound(await features.posts.get(viewer, params.address, number));
      now = { caption: post.caption, pictures: post.pictures };
      state = broughtUpToDate(state, post);
    }
    return data({ state, problem: problemOfRefusal(error), now }, refusedInit(error));
  }
  throw redirect(postAt(params));
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { state: null, now: null });

export default function EditPost({ loaderData, actionData }: Route.ComponentProps) {
  const path = pathOfPost(loaderData.post);
  return (
    <div data-desk="" className="lg:mx-auto lg:max-w-[935px] lg:p-6">
      <title>{documentTitle(words.editPost)}</title>
      <div className="max-md:hidden">
        <BackLink to={path}>{words.thePost}</BackLink>
      </div>
      <WritingBar title={words.editPost} leave={common.cancel} to={path} />
      <EditForm {...loaderData} returned={actionData} />
    </div>
  );
}
