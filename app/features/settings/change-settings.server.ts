import { refuse } from "#shared/errors.ts";
import { settingNames, type Switches } from "#shared/settings.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** What of a member's settings a form changes. */
export type SettingsChange = "username" | "switches";

/**
 * Changes what the form names. A form without scripts cannot send a switch that is off, so it
 * names its switches in `switches`; scripts send one switch as "on" or "off".
 */
export async function changeSettings(
  { settings }: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
): Promise<void> {
  if (fields["change"] === "username") {
    await settings.changeUsername(viewer, fields["username"] ?? "");
    return;
  }
  const named = (fields["switches"] ?? "").split(" ");
  const wanted: Partial<Switches> = {};
  for (const name of settingNames) {
    if (fields[name] !== undefined || named.includes(name)) wanted[name] = fields[name] === "on";
  }
  if (Object.keys(wanted).length === 0) throw refuse("input-invalid");
  await settings.change(viewer, wanted);
}
