import { z } from "zod";
import { settingNames } from "#shared/settings.ts";
import { usernameOf, usernameProblem } from "#shared/usernames.ts";

export const usernameInput = z.object({
  username: z
    .string("required*")
    .transform(usernameOf)
    .superRefine((username, context) => {
      const message = usernameProblem(username);
      if (message) context.addIssue({ code: "custom", message });
    }),
});

/** The switches to change; the others stay. */
export const settingsInput = z.partialRecord(z.enum(settingNames), z.boolean());
