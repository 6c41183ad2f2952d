/**
 * Tools to test apps with screens: a TLS proxy for test names, a Chromium that resolves them, steps and
 * calls.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { request as ask, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { extname, join, normalize } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser, type Page } from "@playwright/test";
import sharp, { type Color } from "sharp";

const run = promisify(execFile);

/** Host name to a port of this machine, or to a folder of files. */
export type Hosts = Record<string, number | string>;

export type Proxy = {
  port: number;
  /** File with the authority that signed its certificate, for `NODE_EXTRA_CA_CERTS`. */
  authority: string;
  close: () => void;
};

/**
 * One address with TLS for every host, WebSockets too. `folder` is where its keys are stored; openssl makes
 * them.
 */
export async function startProxy(folder: string, hosts: Hosts): Promise<Proxy> {
  const { key, cert, authority } = await certificate(folder, Object.keys(hosts));
  const upstream = ({ headers }: IncomingMessage) => hosts[headers.host?.split(":")[0] ?? ""];
  const server = createServer(
    { key: await readFile(key), cert: await readFile(cert) },
    (request, response) => {
      const there = upstream(request);
      if (typeof there === "number") passOn(there, request, response);
      else void serveFile(there ?? "", request.url ?? "/", response);
    },
  );
  server.on("upgrade", (request, socket: Socket, head) => {
    const port = upstream(request);
    if (typeof port !== "number") return void socket.destroy();
    const there = connect(port, "127.0.0.1", () => {
      const { rawHeaders } = request;
      const lines = rawHeaders.flatMap((name, at) =>
        at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : [],
      );
      there.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
      there.write(head);
      there.pipe(socket).pipe(there);
    });
    for (const one of [there, socket]) one.on("error", () => (there.destroy(), socket.destroy()));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    authority,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A server in Node checks who signed, so the certificate has an authority that it can be made to trust. */
async function certificate(folder: string, names: string[]) {
  const at = (file: string) => join(folder, file);
  const [authority, signer, cert, key] = ["ca.pem", "ca-key.pem", "cert.pem", "key.pem"].map(at);
  const asked = "req -x509 -newkey rsa:2048 -nodes -days 2".split(" ");
  await run("openssl", [...asked, "-subj", "/CN=Test CA", "-keyout", signer!, "-out", authority!]);
  const [of, alternatives] = [`/CN=${names[0]}`, names.map((name) => `DNS:${name}`).join()];
  const signed = [
    "-CA",
    authority!,
    "-CAkey",
    signer!,
    "-addext",
    `subjectAltName=${alternatives}`,
  ];
  await run("openssl", [...asked, "-subj", of, ...signed, "-keyout", key!, "-out", cert!]);
  return { authority: authority!, cert: cert!, key: key! };
}

function passOn(port: number, request: IncomingMessage, response: ServerResponse): void {
  const { method, url: path } = request;
  const headers = { ...request.headers, "x-forwarded-for": "127.0.0.1" };
  const there = ask({ host: "127.0.0.1", port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  there.on("error", () => response.destroy());
  response.on("close", () => there.destroy());
  request.pipe(there);
}

const types: Record<string, string> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

async function serveFile(folder: string, url: string, response: ServerResponse): Promise<void> {
  const path = join(folder, normalize(decodeURIComponent(url.split("?")[0] ?? "/")));
  const file = path.endsWith("/") ? join(path, "index.html") : path;
  const found = folder !== "" && existsSync(file);
  response.writeHead(found ? 200 : 404, {
    "Content-Type": types[extname(file)] ?? "application/octet-stream",
  });
  response.end(found ? await readFile(file) : "");
}

/** Resolves the proxy's names and no others. `CHROMIUM_PATH` names another Chromium than Debian's. */
export async function launchBrowser(proxy: Proxy): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--ignore-certificate-errors",
      `--host-resolver-rules=MAP *.test:443 127.0.0.1:${proxy.port}, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
    ],
  });
}

export type Steps = {
  step: (page: Page, name: string, act: () => Promise<unknown>) => Promise<void>;
  /** A screenshot, if `SCREENS` names a folder for them. */
  screenshot: (page: Page, name: string) => Promise<void>;
  failed: () => number;
};

/** What a member does, step by step: the steps after one that fails are tried all the same. */
export async function startSteps(title: string): Promise<Steps> {
  const { SCREENS: screens } = process.env;
  const folder = screens && join(screens, title);
  if (folder) await mkdir(folder, { recursive: true });
  let [count, failures] = [0, 0];
  const screenshot = async (page: Page, name: string) => {
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) }).catch(console.error);
  };
  return {
    step: async (page, name, act) => {
      count += 1;
      const failure = await act().then(
        () => null,
        (error: Error) => error.message.split("\n").slice(0, 3).join(" "),
      );
      if (failure !== null) failures += 1;
      console.log(
        `${title} ${count}. ${name}: ${failure === null ? "done" : `FAILED: ${failure}`}`,
      );
      await screenshot(page, String(count));
    },
    screenshot,
    failed: () => failures,
  };
}

/** The messages on the page's WebSockets. */
export function framesOf(page: Page) {
  const [sent, received]: [string[], string[]] = [[], []];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => sent.push(String(payload)));
    socket.on("framereceived", ({ payload }) => received.push(String(payload)));
  });
  return { sent, received };
}

/** Asks until it is so, for the 15 seconds that an app may take to inform its server. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let at = 0; at < 60; at += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error("Postcard did not hear of it.");
}

/** Publishes a post by the API, with so many photos of one colour. Returns its id. */
export async function post(
  url: string,
  token: string,
  status: string,
  photos: number,
  others: object = {},
): Promise<string> {
  const media_ids: string[] = [];
  for (let at = 0; at < photos; at += 1) {
    const form = new FormData();
    const file = await photo({ r: (at * 90 + status.length * 7) % 256, g: 120, b: 200 });
    form.set("file", new Blob([new Uint8Array(file)], { type: "image/jpeg" }), "photo.jpg");
    form.set("description", `A plain colour, number ${at + 1}`);
    const made = await call(url, token, "/api/v2/media", { method: "POST", body: form });
    media_ids.push(String(made["id"]));
  }
  const body = JSON.stringify({ status, media_ids, ...others });
  const headers = { "content-type": "application/json" };
  const made = await call(url, token, "/api/v1/statuses", { method: "POST", body, headers });
  return String(made["id"]);
}

export async function photo(background: Color): Promise<Buffer> {
  return sharp({ create: { width: 1200, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

/** A call of the Mastodon API that has to succeed. */
export async function call(url: string, token: string, path: string, init: RequestInit = {}) {
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
  const answer = await fetch(new URL(path, url), { ...init, headers });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}
