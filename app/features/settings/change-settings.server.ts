import { refuse } from "#shared/errors.ts";
import { settingNames } from "#shared/settings.ts";
import type { Viewer } from "#shared/views.ts";
import { switchesOf } from "#app/features/settings/switches.server.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** What of a member's settings a form changes. */
export type SettingsChange = "username" | "switches";

/** Changes what the form names; scripts send one switch as "on" or "off". */
export async function changeSettings(
  { settings }: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
): Promise<void> {
  if (fields["change"] === "username") {
    await settings.changeUsername(viewer, fields["username"] ?? "");
    return;
  }
  const wanted = switchesOf(fields, settingNames);
  if (Object.keys(wanted).length === 0) throw refuse("input-invalid");
  await settings.change(viewer, wanted);
}
