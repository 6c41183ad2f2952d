import type { Member } from "./members.ts";

/** The path of a new link for guests that this member made. */
export async function linkBy(url: string, who: Member, asked: object): Promise<string> {
  const answer = await fetch(`${url}/api/links`, {
    method: "POST",
    headers: { Origin: url, cookie: who.cookie, "Content-Type": "application/json" },
    body: JSON.stringify(asked),
  });
  if (!answer.ok) throw new Error(`a link was refused: ${answer.status}`);
  const { address } = (await answer.json()) as { address: string };
  return new URL(address).pathname;
}
