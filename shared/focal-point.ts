import { z } from "zod";

/** What is worth looking at in a picture: right and up from its middle, -1 to 1 each. */
export const focalPoint = z.tuple([z.number().min(-1).max(1), z.number().min(-1).max(1)]);

export type FocalPoint = z.infer<typeof focalPoint>;
