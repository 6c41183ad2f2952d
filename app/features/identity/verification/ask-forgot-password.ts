import { emailProblem } from "#shared/verification.ts";
import { forgotPassword, onItsWay } from "#app/features/identity/verification/words.ts";
import { sendJson, sentenceOf } from "#app/lib/forms/post-form.ts";
import { notify } from "#app/lib/toasts.ts";
import { ask, askText } from "#app/ui/ask.ts";

/** Asks which email, has a link mailed to it and says so; asks again where that did not work. */
export async function askForgotPassword(typed: string, mailLeaves: boolean): Promise<void> {
  const { text, button } = forgotPassword(mailLeaves);
  const email = await askText(
    { title: "Forgot password?", text, ok: mailLeaves ? "Send" : button },
    { label: "Email", type: "email", value: typed, check: emailProblem },
  );
  if (email === null) return;
  try {
    await sendJson("POST", "/calls/forgot-password", { email });
  } catch (error) {
    notify.error(sentenceOf(error));
    return askForgotPassword(email, mailLeaves);
  }
  await ask({ title: "Success", text: onItsWay(mailLeaves) });
}
