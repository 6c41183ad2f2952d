import type { Waiting } from "#app/lib/forms/upload-waiting.ts";

/** A photo of a post that is being written or edited. */
export type ChosenPhoto = {
  id: string;
  /** an address it can be shown from; null where there is none */
  preview: string | null;
  alt: string;
  /** null for what a form without scripts sent: only the server has it */
  file: Blob | null;
  name: string;
  /** queued: behind those before it; waiting: to be tried again, as `waits` says */
  state: "queued" | "sending" | "waiting" | "paused" | "failed" | "sent";
  waits?: Waiting | null | undefined;
  /** of its bytes that are sent, 0 to 1 */
  fraction: number;
  /** why it didn't go through; the file is kept */
  problem: string | null;
  /** this file will never go through: another one may */
  hopeless: boolean;
  /** its sender has to sign in again first */
  signedOut?: boolean | undefined;
  /** where its upload can be taken up again */
  url: string | null;
  /** once it is there */
  imageId: string | null;
  /** sent animated, and too much to move */
  still?: boolean | undefined;
  /** of a photo that stands in the post already: nothing is sent of it */
  key?: string | undefined;
};

/** What is left of a photo when its page is gone. */
export type StoredPhoto = Pick<ChosenPhoto, "id" | "name" | "alt" | "url" | "imageId">;

/** Where its sender sees a picture that is in no post yet. */
export const uploadedImageUrl = (imageId: string) => `/api/images/${imageId}`;
