import { z } from "zod";

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const postKey = z.string().regex(new RegExp(`^${id}\\.${id}$`));

/** Which posts the tabs of a browser show: `{author id}.{post id}`, at most 20. */
export const watchInput = z.object({
  stream: z.string().regex(/^[\w-]{22}$/),
  posts: z.array(postKey).max(20),
});
