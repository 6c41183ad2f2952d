import type { Waiting } from "#app/lib/forms/upload-waiting.ts";

/** A photo of a post that is being written or edited. */
export type ChosenPhoto = {
  id: string;
  /** an address that shows it; null where there is none */
  preview: string | null;
  alt: string;
  /** null for an upload of a form without scripts: only the server has it */
  file: Blob | null;
  name: string;
  /** queued: behind those before it; waiting: for another try, as `waits` says */
  state: "queued" | "sending" | "waiting" | "paused" | "failed" | "sent";
  waits?: Waiting | null | undefined;
  /** fraction of its bytes that are sent, 0 to 1 */
  fraction: number;
  /** why it was not uploaded; the file is kept */
  problem: string | null;
  /** this file can never be uploaded: another one may */
  hopeless: boolean;
  /** its sender has to sign in again first */
  signedOut?: boolean | undefined;
  /** where its upload can be resumed */
  url: string | null;
  /** once it is uploaded */
  imageId: string | null;
  /** sent animated, but too large to be animated */
  still?: boolean | undefined;
  /** of a photo that is in the post already: nothing of it is sent */
  key?: string | undefined;
};

/** The part of a photo that outlives its page. */
export type StoredPhoto = Pick<ChosenPhoto, "id" | "name" | "alt" | "url" | "imageId">;

/** The address of an image that is in no post yet, for its sender. */
export const uploadedImageUrl = (imageId: string) => `/api/images/${imageId}`;
