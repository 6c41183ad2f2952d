import { Form, useNavigation } from "react-router";
import * as words from "#messages/collections.json";
import { save } from "#messages/common.json";
import { findPost, refOf } from "#app/features/posts/find-post.server.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { ProblemLine } from "#app/lib/forms/problem.tsx";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { pathOfPost, postAt } from "#app/lib/text/links.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { Submit } from "#app/ui/button.tsx";
import { CheckField } from "#app/ui/check-field.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/post-collections";

/** In which of one's collections a post is. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const [post, all] = await Promise.all([
    findPost(features, member, params),
    features.collections.list(member),
  ]);
  const within = await features.collections.withPost(member, refOf(post));
  return {
    path: pathOfPost(post),
    saved: post.saved,
    collections: all.map(({ id, title }) => ({ id, title, within: within.includes(id) })),
    clientKey: crypto.randomUUID(),
  };
}

/** The name of a collection's box. */
const boxOf = (id: string) => `in-${id}`;

export const action = formAction({
  [unnamed]: form(({ collections }) => collections.setOfPost, {
    restores: ["title"],
    to: ({ params }) => postAt(params),
    send: ({ fields }) => ({
      body: {
        collections: Object.keys(fields)
          .filter((name) => name.startsWith(boxOf("")))
          .map((name) => name.slice(boxOf("").length)),
        title: fields["title"]?.trim() ? fields["title"] : undefined,
        clientKey: fields["clientKey"],
      },
    }),
  }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: null });

export default function PostCollections({ loaderData, actionData }: Route.ComponentProps) {
  const { path, saved, collections, clientKey } = loaderData;
  const pathname = `${path}/collections`;
  const problem = actionData?.problem;
  const pending = useNavigation().formAction?.startsWith(pathname) ?? false;
  return (
    <>
      <BackLink to={path}>{words.post}</BackLink>
      <ScreenTitle>{words.addToCollection}</ScreenTitle>
      <Form method="post" noValidate className="grid gap-6 px-4 pb-8 md:card md:p-6">
        <input type="hidden" name="clientKey" value={clientKey} />
        <p className="text-pretty text-muted">{saved ? words.onlyYou : words.savedToo}</p>
        {collections.length > 0 && (
          <fieldset>
            <legend className="mb-2 text-sm font-medium">{words.yourCollections}</legend>
            {collections.map(({ id, title, within }) => (
              <CheckField
                key={id}
                name={boxOf(id)}
                label={
                  <span dir="auto" className="wrap-anywhere">
                    {title}
                  </span>
                }
                defaultChecked={within}
              />
            ))}
          </fieldset>
        )}
        <TextField
          name="title"
          label={words.newCollection}
          optional
          autoComplete="off"
          defaultValue={actionData?.typed?.title ?? ""}
          error={problem?.fields && problemAt("title", { message: "", fields: problem.fields })}
          className="w-full"
        />
        <div role="alert" className="empty:hidden">
          {problem && !problem.fields && <ProblemLine problem={problem} pathname={pathname} />}
        </div>
        <p>
          <Submit pending={pending}>{save}</Submit>
        </p>
      </Form>
    </>
  );
}
