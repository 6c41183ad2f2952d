import { useNavigate } from "react-router";
import * as words from "#messages/identity.json";
import { instead } from "#app/lib/instead.ts";
import { withReturn } from "#app/lib/return-path.ts";
import { Link } from "#app/ui/link.tsx";

const look = "link inline-flex min-h-11 items-center";

/** The ways to sign in by email; the second where the server sends mail itself. */
export function MailedLinks({ mailLeaves, returnTo }: { mailLeaves: boolean; returnTo: string }) {
  const navigate = useNavigate();

  /** In a dialog, whose script loads with the click; without scripts on a page of its own. */
  function ask(): void {
    const typed = document.querySelector<HTMLInputElement>("input[name=email]")?.value ?? "";
    import("#app/features/identity/verification/ask-forgot-password.ts")
      .then(({ askForgotPassword }) => askForgotPassword(typed, mailLeaves))
      .catch(() => void navigate("/signIn/forgot"));
  }

  return (
    <p className="-mt-2 flex justify-center gap-6 text-sm">
      <Link to="/signIn/forgot" onClick={instead(ask)} className={look}>
        {words.forgot}
      </Link>
      {mailLeaves ? (
        <Link to={withReturn("/signIn/link", returnTo)} className={look}>
          {words.emailMeALink}
        </Link>
      ) : null}
    </p>
  );
}
