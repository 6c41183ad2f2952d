import { z } from "zod";
import { notificationKinds } from "#shared/notification-kinds.ts";
import { recordOf } from "#shared/records.ts";

/** A member's choices about notifications; those not named stay. */
export const notificationSettingsInput = z.object({
  ...recordOf(notificationKinds, () => z.boolean().optional()),
  digest: z.boolean().optional(),
});
