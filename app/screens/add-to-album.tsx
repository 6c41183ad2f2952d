import { createHash } from "node:crypto";
import { data, Form, redirect } from "react-router";
import * as words from "#messages/albums.json";
import { isRefusal } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { AddPhotos } from "#app/features/albums/add-photos.tsx";
import { albumAt, albumPath } from "#app/features/albums/album-paths.ts";
import { albumToAdd } from "#app/features/albums/own-album.server.ts";
import { uploadImages } from "#app/features/posts/composer/upload-images.server.ts";
import { ProblemLine } from "#app/lib/forms/problem.tsx";
import { memberPage, problemOfRefusal, refusedInit } from "#app/lib/refusals.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Viewer } from "#shared/views.ts";
import type { Route } from "./+types/add-to-album";

export async function loader({ params, context }: Route.LoaderArgs) {
  const { member } = memberPage(context);
  const { id, title } = await albumToAdd(context, params.id);
  return { accountId: member.id, albumId: id, title, clientKey: crypto.randomUUID() };
}

/** The form without scripts: up to ten photos; those that are refused stop no other. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { member, features, readForm, timeZone } = memberPage(context);
  const room = limits.photosPerPost;
  const { fields, all } = await readForm(request, { maxFiles: room, several: true });
  const files = all("image");
  const batch = fields["clientKey"] ?? crypto.randomUUID();
  const into = { album: params.id, batch };
  const images = {
    upload: (viewer: Viewer, file: { path: string }) => features.albums.upload(viewer, into, file),
  };
  const { taken, refusals } = await uploadImages(images, member, { files, room });
  for (const { imageId, index } of taken) {
    const last = index === taken.at(-1)?.index;
    // A page from the browser's cache has the same key: another file with it is another photo.
    const mark = files[index];
    const file = isRefusal(mark) || !mark ? "" : `${mark.filename} ${mark.bytes}`;
    const clientKey = createHash("sha256").update(`${batch} ${index} ${file}`).digest("hex");
    const photo = { imageId, timeZone, batch, last, clientKey };
    try {
      await features.albums.addPhoto(member, params.id, photo);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusals.push(error);
    }
  }
  const [refusal] = refusals;
  if (!refusal) throw redirect(albumAt(params));
  const problem = problemOfRefusal(refusal);
  // The next try goes on with this batch, and adds nothing twice.
  return data({ problem, clientKey: batch }, refusedInit(refusal));
}

export default function AddToAlbum({ loaderData, actionData }: Route.ComponentProps) {
  const { albumId, clientKey, ...target } = loaderData;
  const path = albumPath(albumId);
  return (
    <>
      <BackLink to={path}>{words.album}</BackLink>
      <ScreenTitle>{words.addPhotos}</ScreenTitle>
      <Form method="post" encType="multipart/form-data">
        <input type="hidden" name="clientKey" value={actionData?.clientKey ?? clientKey} />
        <div role="alert" className="px-4 pb-4 empty:hidden md:px-0">
          {actionData && (
            <ProblemLine problem={actionData.problem} pathname={albumPath(albumId, "add")} />
          )}
        </div>
        <AddPhotos target={{ ...target, albumId }} />
      </Form>
    </>
  );
}
