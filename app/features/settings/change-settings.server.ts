import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.server.ts";

/** Which of a member's settings a form changes. */
export type SettingsChange = "username" | "privacy" | "posting";

/**
 * Changes what the form names. A form without scripts cannot send a switch that is off, so it
 * names its switches in `switches`; scripts send one switch as "on" or "off".
 */
export async function changeSettings(
  { settings }: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
): Promise<void> {
  const change = fields["change"];
  if (change === "username") {
    await settings.changeUsername(viewer, fields["username"] ?? "");
  } else if (change === "privacy") {
    const named = (fields["switches"] ?? "").split(" ");
    const wanted = (name: "showEmail" | "findableByEmail" | "showInExplore") =>
      fields[name] !== undefined || named.includes(name) ? { [name]: fields[name] === "on" } : {};
    await settings.setPrivacy(viewer, {
      ...wanted("showEmail"),
      ...wanted("findableByEmail"),
      ...wanted("showInExplore"),
    });
  } else if (change === "posting") {
    // The composer's own switch says nothing of the reminder.
    const { showCamera } = fields;
    if (showCamera === undefined) {
      await settings.setAltReminder(viewer, fields["altReminder"] === "on");
    } else await settings.setShowCamera(viewer, showCamera === "on");
  } else {
    throw refuse("input-invalid");
  }
}
