import { z } from "zod";

/** The focal point of a photo: right and up from its middle, -1 to 1 each. */
export const focalPoint = z.tuple([z.number().min(-1).max(1), z.number().min(-1).max(1)]);

export type FocalPoint = z.infer<typeof focalPoint>;
