import { refuse } from "#shared/errors.ts";
import type { Viewer } from "#shared/views.ts";
import type { PageContext } from "#app/lib/context.ts";

/** What a form of the security screen changes. */
export type SecurityChange = "password" | "end-session" | "end-sessions";

/** What the member is told when it is done. */
export type SecurityAnswer = { message: string };

type Work = (
  features: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
) => Promise<SecurityAnswer>;

const changes: Record<SecurityChange, Work> = {
  password: async ({ identity }, viewer, { currentPassword = "", password = "" }) => {
    await identity.changePassword(viewer, { currentPassword, password });
    return { message: "Your password is changed. Everywhere else you are signed out." };
  },
  "end-session": async ({ identity }, viewer, { session = "" }) => {
    await identity.endSession(viewer, session);
    return { message: "That device is signed out." };
  },
  "end-sessions": async ({ identity }, viewer) => {
    await identity.endSessions(viewer.id, { except: viewer.sessionId });
    return { message: "You are signed out everywhere else." };
  },
};

/** Does what the field `change` names. */
export async function changeSecurity(
  features: PageContext["features"],
  viewer: Viewer,
  fields: Record<string, string>,
): Promise<SecurityAnswer> {
  const { change = "" } = fields;
  if (!isChange(change)) throw refuse("input-invalid");
  return changes[change](features, viewer, fields);
}

function isChange(text: string): text is SecurityChange {
  return Object.hasOwn(changes, text);
}
