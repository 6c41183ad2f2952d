import pg from "pg";
import { expect, type Locator, type Page } from "@playwright/test";
import { follow, type Member } from "./members.ts";
import type { Photo } from "./photos.ts";

export function chatPath(one: Member, other: Member): string {
  return `/chat/${one.username}.${other.username}`;
}

/** Lets two members follow each other, so that they may write. */
export async function befriend(url: string, one: Member, other: Member): Promise<void> {
  await follow(url, one, other);
  await follow(url, other, one);
}

/** Writes a message as the screen does. Returns its position in the conversation. */
export async function say(
  url: string,
  from: Member,
  to: Member,
  { body = "", photo }: { body?: string; photo?: Photo },
): Promise<{ conversationId: string; seq: number }> {
  const chat = `${url}/api/chats/${from.username}.${to.username}`;
  const headers = { Origin: url, cookie: from.cookie };
  const json = { ...headers, "Content-Type": "application/json" };
  const answer = photo
    ? await fetch(`${chat}/photos`, { method: "POST", headers, body: formOf(body, photo) })
    : await fetch(`${chat}/messages`, {
        method: "POST",
        headers: json,
        body: JSON.stringify({ body }),
      });
  if (!answer.ok) throw new Error(`Writing answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { conversationId: string; seq: number };
}

function formOf(body: string, photo: Photo): FormData {
  const form = new FormData();
  form.set("body", body);
  form.set("image", new Blob([new Uint8Array(photo.buffer)]), photo.name);
  return form;
}

export function log(page: Page): Locator {
  return page.getByRole("log");
}

export function composer(page: Page): Locator {
  return page.getByRole("textbox", { name: /^Message to / });
}

export async function write(page: Page, body: string): Promise<void> {
  await composer(page).fill(body);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The messages shown in the conversation, from the top: `who: words`. */
export async function said(page: Page): Promise<string[]> {
  return log(page)
    .locator("li[data-seq]")
    .evaluateAll((rows) =>
      rows.map((row) => {
        const who = row.querySelector(".sr-only")?.textContent.trim() ?? "";
        const photo = row.querySelector("img") ? "[photo]" : "";
        return `${who} ${photo}${row.querySelector("p[dir]")?.textContent ?? ""}`.trim();
      }),
    );
}

/** The conversation has exactly these, in this order, each once, and nothing is being sent. */
export async function expectSaid(page: Page, lines: string[]): Promise<void> {
  await expect.poll(() => said(page), { timeout: 60_000 }).toEqual(lines);
  await expect(log(page).getByText("Waiting to be sent")).toHaveCount(0);
}

/**
 * Writes `count` more messages from one to the other straight into the database: requests would take minutes.
 * `seen` is the last one that the other member has read, 0 for none.
 */
export async function manyMessages(
  databaseUrl: string,
  from: Member,
  to: Member,
  count: number,
  { seen = 0 } = {},
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `with talk as (
        select id, last_seq from conversations
        where low_id = least($1::uuid, $2::uuid) and high_id = greatest($1::uuid, $2::uuid)
      ), written as (
        insert into messages (conversation_id, seq, id, sender_id, body)
        select talk.id, talk.last_seq + n,
          (left(newest.id::text, 15) || lpad(to_hex(n), 3, '0') ||
            '-b' || lpad(to_hex(n), 3, '0') || '-' || lpad(to_hex(n), 12, '0'))::uuid,
          $1, 'message ' || (talk.last_seq + n)
        from talk, generate_series(1, $3) n,
          lateral (select max(id::text)::uuid as id from messages where conversation_id = talk.id) newest
        returning id
      ), read as (
        update conversation_members set read_seq = $4
        from talk where conversation_id = talk.id and account_id = $2
      )
      update conversations set last_seq = last_seq + $3,
        last_message_id = (select max(id::text)::uuid from written)
      where id = (select id from talk)`,
      [from.id, to.id, count, seen],
    );
  } finally {
    await client.end();
  }
}
