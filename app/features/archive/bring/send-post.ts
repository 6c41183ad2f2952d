import { withoutHashtags } from "#shared/without-hashtags.ts";
import type { DeviceExport, DevicePost } from "#app/features/archive/device/read-export.ts";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import {
  append,
  find,
  newPhoto,
  type Uploads,
} from "#app/features/posts/composer/photo-uploads.ts";
import { callErrorOf, sendJson } from "#app/lib/api-client.ts";
import { untilAnswered } from "#app/lib/forms/until-answered.ts";
import type { Waiting } from "#app/lib/forms/upload-waiting.ts";

export type PostUploads = Uploads & {
  /** images of posts that are not written yet, by post and file: another try does not send them again */
  sent: Map<string, string>;
};

type Sending = {
  device: Pick<DeviceExport, "photo" | "photoWithoutPlace">;
  uploads: PostUploads;
  post: DevicePost;
  signal: AbortSignal;
  onWaiting: (waiting: Waiting | null) => void;
  /** resolves when nobody pauses it */
  whenGoing: () => Promise<void>;
};

type To = { importId: string; kept: Kept };

/** Sends the photos of a post, then the post. @throws CallError; AbortError when it was cancelled */
export async function sendPost(sending: Sending, to: To): Promise<"taken" | "known" | null> {
  const { uploads, post } = sending;
  try {
    return await sendInOrder(sending, to);
  } finally {
    // Until then its photos count as under way.
    const its = new Set(post.pictures.map(({ file }) => idOf(post, file)));
    for (const id of its) uploads.errors.delete(id);
    uploads.photos.set(uploads.photos.now().filter(({ id }) => !its.has(id)));
  }
}

async function sendInOrder(sending: Sending, { importId, kept }: To) {
  const { uploads, post, signal, onWaiting, whenGoing } = sending;
  const pictures: SentPicture[] = [];
  for (const { file, url, alt, focalPoint } of post.pictures) {
    const image = url ? { url } : { imageId: await imageOf(sending, file, kept) };
    pictures.push({ ...image, alt, focalPoint });
  }
  await whenGoing();
  const body = postToSend(post, pictures, kept);
  const write = () =>
    sendJson<{ outcome: "taken" | "known" }>("POST", `/calls/imports/${importId}/posts`, body);
  const forget = () => {
    for (const { file } of post.pictures) uploads.sent.delete(idOf(post, file));
  };
  try {
    const answer = await untilAnswered(write, { signal, onWaiting });
    forget();
    return answer && answer.outcome;
  } catch (error) {
    // Unused images are removed after a while.
    if (callErrorOf(error).code === "picture-unknown") forget();
    throw error;
  }
}

const idOf = ({ key }: DevicePost, file: string) => `${key} ${file}`;

/** The id of a photo's image, uploaded now or in an earlier try. */
async function imageOf(sending: Sending, name: string, { places }: Kept): Promise<string> {
  const { device, uploads, post, signal, whenGoing } = sending;
  const { sent } = uploads;
  const id = idOf(post, name);
  const earlier = sent.get(id);
  if (earlier) return earlier;
  const file = await (places ? device.photo(name) : device.photoWithoutPlace(name));
  await whenGoing();
  signal.throwIfAborted();
  const imageId = await sendOne(uploads, { ...newPhoto, id, name, file });
  sent.set(id, imageId);
  return imageId;
}

/**
 * Sends one photo behind those before it. Resolves with its image; rejects with the error that it failed with, or
 * as aborted when it was cancelled and removed.
 */
function sendOne(uploads: Uploads, photo: ChosenPhoto): Promise<string> {
  const { photos, errors } = uploads;
  append(uploads, [photo]);
  return new Promise((resolve, reject) => {
    const look = () => {
      const now = find(uploads, photo.id);
      if (now?.state === "sent") resolve(now.imageId ?? "");
      else if (now?.state === "failed") reject(errors.get(now.id));
      else if (!now) reject(new DOMException("Cancelled", "AbortError"));
      else return;
      stop();
    };
    const stop = photos.subscribe(look);
    look();
  });
}

/** What comes along with the photos. */
export type Kept = { captions: boolean; hashtags: boolean; places: boolean };

/** A photo of a post: uploaded, or with its address, where the export does not have it. */
type SentPicture = Omit<DevicePost["pictures"][number], "file" | "url"> &
  ({ imageId: string } | { url: string });

/** A post as the server gets it: with what its author wants to keep, and nothing else of the export. */
function postToSend(post: DevicePost, pictures: readonly SentPicture[], kept: Kept) {
  const { key, warning, sensitive, audience } = post;
  const caption = captionOf(post, kept);
  const language = caption === "" ? null : (post.language ?? null);
  const time = Math.round(post.time);
  const words = { caption, language, warning, sensitive };
  return { key, time, ...words, audience, showPlace: kept.places, pictures };
}

function captionOf({ caption }: DevicePost, { captions, hashtags }: Kept): string {
  if (!captions) return "";
  return hashtags ? caption : withoutHashtags(caption);
}
