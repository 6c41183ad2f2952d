import type { createConfirm } from "#server/features/identity/confirm.ts";
import type { createTwoFactor } from "#server/features/two-factor/two-factor.ts";
import type { Viewer } from "#shared/views.ts";

type Deps = {
  twoFactor: ReturnType<typeof createTwoFactor>;
  confirm: ReturnType<typeof createConfirm>["confirm"];
};

/**
 * A member's own second factor. What makes an account easier to enter, or shows how, asks for the
 * password again (wrong-password, sign-in-again, too-many-attempts, input-invalid).
 */
export function createSecondFactor({ twoFactor, confirm }: Deps) {
  type Proof = { password: string };
  return {
    status: (viewer: Viewer) => twoFactor.status(viewer.id),

    /** The secret for the app. Refuses with two-factor-on. */
    begin: async (viewer: Viewer, proof: Proof) => {
      await confirm(viewer, proof);
      return twoFactor.begin(viewer.id, viewer.email);
    },

    /** Shows that the app has it. Refuses with wrong-code, two-factor-not-begun. */
    turnOn: (viewer: Viewer, code: string) => twoFactor.turnOn(viewer.id, code),

    /** Refuses with two-factor-not-begun where it is off. */
    renewCodes: async (viewer: Viewer, proof: Proof) => {
      await confirm(viewer, proof);
      return twoFactor.renewCodes(viewer.id);
    },

    turnOff: async (viewer: Viewer, proof: Proof) => {
      await confirm(viewer, proof);
      await twoFactor.turnOff(viewer.id);
    },
  };
}
