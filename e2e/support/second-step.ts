import { appCode } from "../../server/test/authenticator-app.ts";
import type { Member } from "./members.ts";

/**
 * Turns on a member's second step with the requests that its forms send; they have their own story. Returns
 * the key that the app knows. The current code is used up: `appCode(key, 1)` is the next.
 */
export async function turnOnSecondStep(url: string, member: Member): Promise<string> {
  async function send(fields: Record<string, string>): Promise<string> {
    const headers = { Origin: url, cookie: member.cookie };
    const body = new URLSearchParams(fields);
    const answer = await fetch(`${url}/settings/security`, { method: "POST", headers, body });
    if (!answer.ok) throw new Error(`The security screen answered ${answer.status}`);
    return answer.text();
  }
  const page = await send({ change: "two-factor-begin", password: member.password });
  const key = />([A-Z2-7]{4}(?: [A-Z2-7]{1,4})+)</.exec(page)?.[1];
  if (!key) throw new Error("The security screen shows no key");
  await send({ change: "two-factor-on", code: await appCode(key) });
  return key;
}
