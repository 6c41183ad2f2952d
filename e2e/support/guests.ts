import { randomUUID } from "node:crypto";
import { upload, type Member } from "./members.ts";
import type { Photo } from "./photos.ts";

async function ask<Answer>(url: string, who: Member, path: string, body: object): Promise<Answer> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { Origin: url, cookie: who.cookie, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path} was refused: ${answer.status}`);
  return (await answer.json()) as Answer;
}

/** The path of a new link for guests that this member made. */
export async function linkBy(url: string, who: Member, asked: object): Promise<string> {
  const { address } = await ask<{ address: string }>(url, who, "/api/links", asked);
  return new URL(address).pathname;
}

export const albumDescription = "What we saw, and who was there.";

/** A new album, for its members unless `more` says otherwise. @returns its id */
export async function makeAlbum(
  url: string,
  who: Member,
  title: string,
  more: object = {},
): Promise<string> {
  const album = { title, description: albumDescription, ...more };
  return (await ask<{ id: string }>(url, who, "/api/albums", album)).id;
}

/** A new collection of saved posts. @returns its id */
export const makeCollection = async (url: string, who: Member, title: string): Promise<string> =>
  (await ask<{ id: string }>(url, who, "/api/saved/collections", { title })).id;

/** Adds a photo for whoever the album is for. */
export async function addPhoto(
  url: string,
  who: Member,
  album: string,
  { photo, alt = "", caption = "" }: { photo: Photo; alt?: string; caption?: string },
): Promise<void> {
  const imageId = await upload(url, who, photo);
  const wanted = { imageId, alt, caption, clientKey: randomUUID() };
  await ask(url, who, `/api/albums/${album}/photos`, wanted);
}
