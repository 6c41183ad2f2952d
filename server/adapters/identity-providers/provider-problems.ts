import {
  AuthorizationResponseError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from "openid-client";
import {
  isSignInProblem,
  problem,
  type SignInProblem,
  type SignInProblemCode,
} from "#shared/providers.ts";

/** Error codes of OAuth 2.0 (RFC 6749, 4.1.2.1 and 5.2), OpenID Connect (3.1.2.6) and GitHub. */
const codes: Record<string, SignInProblemCode> = {
  access_denied: "provider-declined",
  consent_required: "provider-declined",
  interaction_required: "provider-declined",
  login_required: "provider-declined",
  application_suspended: "invalid-api-key",
  incorrect_client_credentials: "invalid-api-key",
  invalid_client: "invalid-api-key",
  unauthorized_client: "invalid-api-key",
  bad_verification_code: "sign-in-expired",
  invalid_grant: "sign-in-expired",
  redirect_uri_mismatch: "unauthorized-domain",
  invalid_scope: "auth-domain-config-required",
  unsupported_response_type: "auth-domain-config-required",
  server_error: "network-request-failed",
  temporarily_unavailable: "network-request-failed",
};

/** What a failed exchange with a provider means to the person who waits. */
export function toProblem(error: unknown, otherwise: SignInProblemCode): SignInProblem {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (isSignInProblem(cause)) return cause;
  }
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const said = new Error(`it answered ${error.error.slice(0, 100)}`, { cause: error });
    return problem(codes[error.error] ?? "internal-error", said);
  }
  // The token endpoint challenges only us.
  if (error instanceof WWWAuthenticateChallengeError) return problem("invalid-api-key", error);
  return problem(otherwise, error);
}

/** The reason, for the log: the messages behind a problem, which name no person and hold no secret. */
export function reasonOf({ cause }: SignInProblem): string {
  const messages: string[] = [];
  for (let error = cause; error instanceof Error; error = error.cause) messages.push(error.message);
  return messages.join(": ").slice(0, 400);
}
