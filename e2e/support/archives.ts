import { setTimeout as sleep } from "node:timers/promises";
import type { Member } from "./members.ts";

/** An account's archive, as the screen hands it out. */
export async function archiveOf(url: string, member: Member): Promise<Buffer> {
  const headers = { Origin: url, cookie: member.cookie };
  const answer = await fetch(`${url}/settings/data`, {
    method: "POST",
    headers,
    body: new URLSearchParams({ change: "export", password: member.password }),
  });
  if (!answer.ok) throw new Error(`No archive is made: ${answer.status}`);
  for (let tries = 0; tries < 100; tries += 1) {
    const page = await (await fetch(`${url}/settings/data`, { headers })).text();
    const path = /href="(\/exports\/[0-9a-f-]{36}\.zip)"/.exec(page)?.[1];
    if (path) return Buffer.from(await (await fetch(url + path, { headers })).arrayBuffer());
    await sleep(300);
  }
  throw new Error("The archive was never ready");
}

/** Imports an archive, and waits until all of it is there. */
export async function bringArchive(url: string, member: Member, archive: Buffer): Promise<void> {
  const headers = { Origin: url, cookie: member.cookie };
  const body = new FormData();
  body.set("change", "import");
  body.set("archive", new Blob([new Uint8Array(archive)]), "archive.zip");
  // Like its form: whether an archive may come is checked before its body is read.
  const answer = await fetch(`${url}/settings/data/bring`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`The archive was refused: ${answer.status}`);
  for (let tries = 0; tries < 100; tries += 1) {
    const page = await (await fetch(`${url}/settings/data`, { headers })).text();
    if (page.includes("messages imported.")) return;
    await sleep(300);
  }
  throw new Error("The archive was never imported");
}
