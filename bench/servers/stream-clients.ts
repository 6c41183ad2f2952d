import { Agent, get } from "node:http";

/** Browsers with streams, in their own process: they count what comes and do nothing else. */
type Asked = { open?: { url: string; cookie: string }[]; count?: true; close?: true };

const agent = new Agent({ maxSockets: Infinity });
const begun = { streams: 0, failed: 0 };
const received = { events: 0, bytes: 0 };
let ending = new AbortController();

function listen(url: string, cookie: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { cookie }, signal: ending.signal }, (answer) => {
      if (answer.statusCode !== 200) return reject(new Error(`A stream got ${answer.statusCode}.`));
      begun.streams += 1;
      let end = "";
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => {
        received.bytes += text.length;
        // an event may arrive in two pieces, cut anywhere
        const whole = end + text;
        received.events += whole.split("\ndata: ").length - 1;
        end = whole.slice(-6);
        resolve();
      });
      answer.on("error", () => undefined);
    });
    request.on("error", (error) => {
      if (ending.signal.aborted) resolve();
      else reject(error);
    });
  });
}

/** Fifty at a time: a server's accept queue is not what is measured. */
async function openAll(wanted: readonly { url: string; cookie: string }[]): Promise<void> {
  for (let at = 0; at < wanted.length; at += 50) {
    await Promise.all(wanted.slice(at, at + 50).map(({ url, cookie }) => listen(url, cookie)));
  }
}

process.on("message", ({ open, count, close }: Asked) => {
  if (open) {
    openAll(open).then(
      () => process.send?.({ opened: begun.streams }),
      (error: unknown) => process.send?.({ opened: -1, reason: String(error) }),
    );
  }
  if (count) process.send?.({ counted: { ...received } });
  if (close) {
    ending.abort();
    ending = new AbortController();
    begun.streams = 0;
    process.send?.({ closed: true });
  }
});
process.send?.({ ready: true });
process.on("SIGTERM", () => process.exit(0));
