import { AlbumPage } from "#app/features/albums/album-page.tsx";
import { appContext } from "#app/lib/context.server.ts";
import type { Route } from "./+types/album";

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { viewer, features } = context.get(appContext);
  const [album, first] = await Promise.all([
    features.albums.get(viewer, params.id),
    features.albums.photos(viewer, params.id, url.searchParams.get("cursor")),
  ]);
  return { album, first, viewerId: viewer?.id ?? null };
}

export default function Album({ loaderData }: Route.ComponentProps) {
  return <AlbumPage key={loaderData.album.id + loaderData.album.order} {...loaderData} />;
}
