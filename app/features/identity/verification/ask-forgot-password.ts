import * as words from "#messages/identity.json";
import {
  emailText,
  forgotPasswordText,
  mailSentText,
} from "#app/features/identity/verification/mail-texts.ts";
import { sendJson, errorMessage } from "#app/lib/api-client.ts";
import { notify } from "#app/lib/toasts.ts";
import { ask, promptText } from "#app/ui/ask.ts";

/** Asks for the email, has a link mailed to it and says so; asks again where that did not work. */
export async function askForgotPassword(typed: string, mailLeaves: boolean): Promise<void> {
  const { text, button } = forgotPasswordText(mailLeaves);
  const email = await promptText(
    { title: words.forgot, text, ok: mailLeaves ? words.send : button },
    { label: words.email, type: "email", value: typed, check: emailText },
  );
  if (email === null) return;
  try {
    await sendJson("POST", "/calls/forgot-password", { email });
  } catch (error) {
    notify.error(errorMessage(error));
    return askForgotPassword(email, mailLeaves);
  }
  await ask({ title: words.success, text: mailSentText(mailLeaves) });
}
