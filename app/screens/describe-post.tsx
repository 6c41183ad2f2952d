import { data, redirect } from "react-router";
import * as words from "#messages/posts.json";
import { nothingSent } from "#app/features/posts/alt-suggestions/sent.ts";
import { SuggestForm } from "#app/features/posts/alt-suggestions/suggest-form.tsx";
import {
  readSuggestions,
  suggestFrom,
} from "#app/features/posts/alt-suggestions/suggest.server.ts";
import { Veil } from "#app/features/posts/veil.tsx";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { appContext } from "#app/lib/context.server.ts";
import { asksToSee } from "#app/lib/page/asks-to-see.server.ts";
import { documentTitle } from "#app/lib/page/document-title.ts";
import { refusedInit, memberPage, requireMember } from "#app/lib/refusals.server.ts";
import { pathOfPost, postAt } from "#app/lib/text/links.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/describe-post";

/** Somebody else's photos without alt text, and the viewer's suggestions for them. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const read = await readSuggestions(features, member, params);
  // Others' suggestions are beside the photos.
  if (read.post.mine) throw redirect(`${pathOfPost(read.post)}#suggested`);
  return { ...read, shown: asksToSee(request) };
}

/** A reader's suggestions; or the author's decision about one, on the post's page. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { viewer, features, readForm } = context.get(appContext);
  const { fields } = await readForm(request);
  const { go, suggestion = "" } = fields;
  if (go === "take" || go === "dismiss") {
    const member = requireMember({ viewer });
    const act = features.altSuggestions[go];
    await act(member, params.address, Number(params.number), suggestion);
    throw redirect(postAt(params));
  }
  const { sent, refusal } = await suggestFrom(features, viewer, params, fields);
  return data(sent, refusal ? refusedInit(refusal) : undefined);
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, nothingSent);

export default function DescribePost({ loaderData, actionData }: Route.ComponentProps) {
  const { post, own } = loaderData;
  const back = pathOfPost(post);
  const veil = { post, asked: loaderData.shown, at: `${back}/describe` };
  const after = <ButtonLink to={back}>{words.backToPost}</ButtonLink>;
  return (
    <>
      <title>{documentTitle(words.suggestDescription)}</title>
      <BackLink to={back}>{words.post}</BackLink>
      {actionData?.done ? (
        <EmptyState heading title={words.thankYou} action={after}>
          <p>{rich(words.canAddYourWords, { name: <bdi>{post.author.name}</bdi> })}</p>
        </EmptyState>
      ) : post.pictures.every(({ alt }) => alt) ? (
        <EmptyState heading title={words.nothingToDescribe} action={after}>
          <p>{words.allDescribed}</p>
        </EmptyState>
      ) : (
        <>
          <PageTitle>{words.suggestDescription}</PageTitle>
          <Veil {...veil} part="warning" />
          <Veil {...veil} part="photos">
            <SuggestForm post={post} own={own} returned={actionData} />
          </Veil>
        </>
      )}
    </>
  );
}
