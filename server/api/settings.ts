import { z } from "zod";
import { internalCalls } from "#server/api/declared-calls.ts";
import { refuse } from "#shared/errors.ts";
import { extraFieldInputs } from "#shared/extra-fields.ts";
import { chosenLanguages } from "#shared/languages.inputs.ts";
import { profileFieldNames } from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";
import { settingsInput } from "#shared/settings.inputs.ts";

const { forMembers } = internalCalls;

const typed = z.string().default("");

const switches = settingsInput.refine((wanted) => Object.keys(wanted).length > 0);

/** What is left out stays as it is; the feature checks the rest. */
const profile = z.object({
  ...recordOf([...profileFieldNames, ...extraFieldInputs], () => z.string().optional()),
  firstName: typed,
  secondName: typed,
  imageId: z.string().optional(),
});

/** What members decide about their own account, and their profile. */
export const settingsCalls = {
  change: forMembers("POST /calls/settings", {
    body: switches,
    handler: ({ settings }, { viewer, body }) => settings.change(viewer, body),
  }),
  changeLanguages: forMembers("POST /calls/settings/language", {
    body: chosenLanguages,
    handler: ({ settings }, { viewer, body }) => settings.changeLanguages(viewer, body),
  }),
  changeUsername: forMembers("POST /calls/settings/username", {
    body: z.object({ username: typed }),
    handler: ({ settings }, { viewer, body }) => settings.changeUsername(viewer, body.username),
  }),
  keepUsername: forMembers("POST /calls/settings/keep-username", {
    body: z.object({}),
    handler: ({ settings }, { viewer }) => settings.keepUsername(viewer),
  }),
  editProfile: forMembers("POST /calls/edit-profile", {
    body: profile,
    handler: async ({ profiles }, { viewer, body }) => {
      const { matchedCount } = await profiles.edit(viewer, body);
      if (matchedCount < 1) {
        throw refuse("not-found", { message: "This account no longer exists." });
      }
    },
  }),
};
