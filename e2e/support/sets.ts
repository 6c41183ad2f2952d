import type { Member } from "./members.ts";
import type { Photo } from "./photos.ts";

/** Publishes several photos as one post, as a program does; the composer takes one. */
export async function postSet(
  url: string,
  member: Member,
  { photos, caption = "" }: { photos: { photo: Photo; alt: string }[]; caption?: string },
): Promise<string> {
  const headers = { Origin: url, cookie: member.cookie };
  const pictures: { imageId: string; alt: string }[] = [];
  for (const { photo, alt } of photos) {
    const form = new FormData();
    form.set("image", new Blob([new Uint8Array(photo.buffer)]), photo.name);
    const answer = await fetch(`${url}/api/images`, { method: "POST", headers, body: form });
    const { data } = (await answer.json()) as { data: { id: string } };
    pictures.push({ imageId: data.id, alt });
  }
  const answer = await fetch(`${url}/api/posts`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ caption, pictures }),
  });
  if (!answer.ok) throw new Error(`Publishing answered ${answer.status}: ${await answer.text()}`);
  const { number } = (await answer.json()) as { number: number };
  return `/post/${member.username}/${number}`;
}
