import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";

/** What an authenticator app shows for a key it was told, `steps` of 30 seconds from now. */
export function appCode(key: string, steps = 0): Promise<string> {
  const secret = new TextDecoder().decode(base32.decode(key.replaceAll(" ", "")));
  return createOTP(secret).hotp(Math.floor(Date.now() / 30_000) + steps);
}
