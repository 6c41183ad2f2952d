import { Form } from "react-router";
import * as words from "#messages/account.json";

/** Quiet, above every page of a member whose address is not confirmed; nothing is blocked by it. */
export function ConfirmBanner() {
  return (
    <Form
      method="post"
      action="/settings/email"
      aria-label={words.yourEmail}
      className="flex flex-wrap items-center justify-center gap-x-3 border-b border-line px-4 text-sm print:hidden"
    >
      <input type="hidden" name="change" value="resend" />
      <span className="py-2">{words.confirmBanner}</span>
      <button type="submit" className="link min-h-11 font-medium">
        {words.sendAgain}
      </button>
    </Form>
  );
}
