import { z } from "zod";

/** What a member wants to be told, and how; what is not named stays. */
export const notificationSettingsInput = z.object({
  follow: z.boolean().optional(),
  like: z.boolean().optional(),
  comment: z.boolean().optional(),
  mention: z.boolean().optional(),
  message: z.boolean().optional(),
  alt: z.boolean().optional(),
  digest: z.boolean().optional(),
});
