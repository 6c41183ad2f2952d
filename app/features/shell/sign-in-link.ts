import { useLocation } from "react-router";
import { signInPath } from "#app/lib/return-path.ts";

/** To the sign-in form and back to this page; unchanged on the form itself. */
export function useSignInLink(): string {
  const { pathname, search } = useLocation();
  return /^\/sign(in|up|out)(\/|$)/i.test(pathname)
    ? `/signIn${search}`
    : signInPath({ pathname, search });
}
