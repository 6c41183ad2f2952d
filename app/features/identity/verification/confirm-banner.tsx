import { Form } from "react-router";

/** Quiet, above every page of a member whose address is not confirmed; nothing is blocked by it. */
export function ConfirmBanner() {
  return (
    <Form
      method="post"
      action="/settings/email"
      aria-label="Your email"
      className="flex flex-wrap items-center justify-center gap-x-3 border-b border-line px-4 text-sm print:hidden"
    >
      <input type="hidden" name="change" value="resend" />
      <span className="py-2">Please confirm your email: we sent you a link.</span>
      <button type="submit" className="link min-h-11 font-medium">
        Send it again
      </button>
    </Form>
  );
}
