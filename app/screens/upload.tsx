import { data, redirect } from "react-router";
import { isRefusal } from "#shared/errors.ts";
import { Composer } from "#app/features/posts/composer/composer.tsx";
import { publishFrom } from "#app/features/posts/composer/publish-from.server.ts";
import { appContext } from "#app/lib/context.server.ts";
import {
  orRefusalPage,
  refusedInit,
  requireMember,
  retryAfterHeaders,
} from "#app/lib/refusals.server.ts";
import { PageTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/upload.ts";

export function loader({ context }: Route.LoaderArgs) {
  requireMember(context.get(appContext));
  return { clientKey: crypto.randomUUID() };
}

/** Only Retry-After, where too much was written. */
export const headers = retryAfterHeaders;

/** The form of a browser without scripts: picture and words in one request. */
export async function action({ request, context }: Route.ActionArgs) {
  const { viewer, features, readForm, timeZone } = context.get(appContext);
  const member = requireMember({ viewer });
  const { fields, file } = await orRefusalPage(readForm(request, { maxFiles: 1 }));
  const { caption = "", alt = "" } = fields;
  let { imageId = "" } = fields;
  try {
    const image = file("image");
    const mark = image ? `${image.filename} ${image.bytes}` : imageId;
    if (image) ({ imageId } = await features.images.upload(member, image));
    await publishFrom(features, member, { timeZone, ...fields }, imageId, mark);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { code, message, fields: wrong } = error;
    const kept = code === "picture-unknown" ? "" : imageId;
    return data(
      { caption, alt, imageId: kept, problem: { code, message, fields: wrong } },
      refusedInit(error),
    );
  }
  throw redirect("/");
}

export default function Upload({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <title>New post · Postcard</title>
      <PageTitle>New post</PageTitle>
      <Composer clientKey={loaderData.clientKey} returned={actionData} />
    </>
  );
}
