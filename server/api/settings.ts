import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { internalCall } from "#server/api/declared-calls.ts";
import type { Features } from "#server/features/index.ts";
import { refuse } from "#shared/errors.ts";
import { extraFieldInputs } from "#shared/extra-fields.ts";
import { chosenLanguages } from "#shared/languages.inputs.ts";
import { profileFieldNames } from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";
import { settingsInput } from "#shared/settings.inputs.ts";

type Deps = { features: Pick<Features, "settings" | "profiles"> };

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
export function settingsCalls({ features: { settings, profiles } }: Deps) {
  return {
    change: internalCall("member", "/calls/settings", switches, async (request) =>
      settings.change(memberOf(request), request.body),
    ),
    changeLanguages: internalCall(
      "member",
      "/calls/settings/language",
      chosenLanguages,
      async (request) => settings.changeLanguages(memberOf(request), request.body),
    ),
    changeUsername: internalCall(
      "member",
      "/calls/settings/username",
      z.object({ username: typed }),
      async (request) => settings.changeUsername(memberOf(request), request.body.username),
    ),
    keepUsername: internalCall(
      "member",
      "/calls/settings/keep-username",
      z.object({}),
      async (request) => settings.keepUsername(memberOf(request)),
    ),
    editProfile: internalCall("member", "/calls/edit-profile", profile, async (request) => {
      const { matchedCount } = await profiles.edit(memberOf(request), request.body);
      if (matchedCount < 1) {
        throw refuse("not-found", { message: "This account no longer exists." });
      }
    }),
  };
}
