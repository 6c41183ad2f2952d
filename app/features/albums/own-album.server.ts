import type { RouterContextProvider } from "react-router";
import { refuse } from "#shared/errors.ts";
import type { AlbumView } from "#shared/views.ts";
import { mayAdd } from "#app/features/albums/album-paths.ts";
import { memberPage } from "#app/lib/refusals.server.ts";

type Context = Readonly<RouterContextProvider>;

async function albumIf(
  context: Context,
  id: string,
  may: (role: AlbumView["role"]) => boolean,
): Promise<AlbumView> {
  const { member, features } = memberPage(context);
  const album = await features.albums.get(member, id);
  if (!may(album.role)) throw refuse("not-found");
  return album;
}

/** The album for its owner alone; everybody else gets the page of one that never was. */
export const ownAlbum = (context: Context, id: string) =>
  albumIf(context, id, (role) => role === "owner");

/** The same for all who add photos. */
export const albumToAdd = (context: Context, id: string) => albumIf(context, id, mayAdd);

/** The same for its members. */
export const albumAsMember = (context: Context, id: string) =>
  albumIf(context, id, (role) => role !== null);
