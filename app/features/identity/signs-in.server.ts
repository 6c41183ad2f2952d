import type { RefusalCode } from "#shared/errors.ts";
import type { Submission } from "#app/lib/forms/form-action.server.ts";
import { withReturn } from "#app/lib/return-path.ts";

/** For a form that signs in: what it shows, and where an account that gets no session is led. */
export const signsIn = {
  member: "/",
  shows: (_session: unknown, { back }: Submission) => ({ signedIn: true as const, to: back }),
  leads(code: RefusalCode, { back }: Submission) {
    if (code === "account-leaving") return "/keepAccount";
    if (code === "account-suspended") return "/suspended";
    return code === "second-factor-required" ? withReturn("/signIn/code", back) : undefined;
  },
};
