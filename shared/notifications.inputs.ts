import { z } from "zod";

/** A member's choices about notifications; those not named stay. */
export const notificationSettingsInput = z.object({
  follow: z.boolean().optional(),
  like: z.boolean().optional(),
  comment: z.boolean().optional(),
  mention: z.boolean().optional(),
  message: z.boolean().optional(),
  alt: z.boolean().optional(),
  digest: z.boolean().optional(),
});
