import type { Database } from "#server/platform/db/database.ts";
import type { createConfirm } from "#server/features/identity/confirm.ts";
import type { createDevices } from "#server/features/identity/devices.ts";
import type { SecurityNotice, NotifyOwner } from "#server/features/identity/security-notices.ts";
import type { createTwoFactor } from "#server/features/identity/two-factor/two-factor.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  db: Database;
  twoFactor: ReturnType<typeof createTwoFactor>;
  devices: Pick<ReturnType<typeof createDevices>, "forget">;
  confirm: ReturnType<typeof createConfirm>["confirm"];
  notifyOwner: NotifyOwner;
};

/**
 * A member's own second factor. Changes that weaken it, or show its secrets, ask for the password
 * again (wrong-password, sign-in-again, too-many-attempts, input-invalid). The owner gets an email
 * of every change, and every device is unknown until the next sign-in on it.
 */
export function createSecondFactor({ db, twoFactor, devices, confirm, notifyOwner }: Deps) {
  type Proof = { password: string };

  function changeAndNotify<Answer>(
    { id }: Viewer,
    what: SecurityNotice["what"] & `two-factor-${string}`,
    change: () => Promise<Answer>,
  ): Promise<Answer> {
    return db.transaction(async () => {
      const answer = await change();
      await devices.forget(id);
      await notifyOwner(id, { what });
      return answer;
    });
  }

  return {
    status: (viewer: Viewer) => twoFactor.status(viewer.id),

    /** The secret for the app. Refuses with two-factor-on. */
    begin: async (viewer: Viewer, proof: Proof) => {
      await confirm(viewer, proof);
      return twoFactor.begin(viewer.id, viewer.email);
    },

    /** Turns it on with a code of the app. Refuses with wrong-code, two-factor-not-begun. */
    turnOn: (viewer: Viewer, code: string) =>
      changeAndNotify(viewer, "two-factor-on", () => twoFactor.turnOn(viewer.id, code)),

    /** Refuses with two-factor-not-begun where it is off. */
    renewCodes: async (viewer: Viewer, proof: Proof) => {
      await confirm(viewer, proof);
      return changeAndNotify(viewer, "two-factor-codes-renewed", () =>
        twoFactor.renewCodes(viewer.id),
      );
    },

    turnOff: async (viewer: Viewer, proof: Proof) => {
      await confirm(viewer, proof);
      await changeAndNotify(viewer, "two-factor-off", () => twoFactor.turnOff(viewer.id));
    },
  };
}
