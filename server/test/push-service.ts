import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
} from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { afterFile } from "#server/test/after-file.ts";

export type Push = { path: string; headers: IncomingHttpHeaders; body: Buffer };

/** A push service on this machine: accepts messages as RFC 8030 says, and stores them. */
export async function openPushService() {
  const received: Push[] = [];
  /** the statuses to answer with, by path */
  const answers = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(answers.get(path) ?? 201, { Location: `/message${path}` }).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  afterFile(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** A browser that subscribes here: its address, and how it reads a message. */
  function browser() {
    const keys = createECDH("prime256v1");
    const auth = randomBytes(16);
    const path = `/push/${randomBytes(8).toString("hex")}`;
    const publicKey = keys.generateKeys();
    const texts = () =>
      received
        .filter((push) => push.path === path)
        .map((push) => {
          const legacy = push.headers["content-encoding"] === "aesgcm";
          return (legacy ? decryptLegacy : decrypt)(push, { keys, publicKey, auth });
        });
    return {
      path,
      address: {
        endpoint: origin + path,
        p256dh: publicKey.toString("base64url"),
        auth: auth.toString("base64url"),
      },
      read: () => texts().map((text) => JSON.parse(text) as unknown),
      /** the texts as sent: a number may have more digits than JavaScript can represent */
      texts,
      answer: (status: number) => answers.set(path, status),
    };
  }

  return { origin, received, browser };
}

type Keys = { keys: ReturnType<typeof createECDH>; publicKey: Buffer; auth: Buffer };

/** RFC 8291, section 3.4, and the one record of RFC 8188. */
function decrypt({ body: message }: Push, { keys, publicKey, auth }: Keys): string {
  const salt = message.subarray(0, 16);
  const keyLength = message.readUInt8(20);
  const sender = message.subarray(21, 21 + keyLength);
  const secret = keys.computeSecret(sender);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, sender]);
  const input = Buffer.from(hkdfSync("sha256", secret, auth, info, 32));
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync("sha256", input, salt, label(name), length));
  const sealed = message.subarray(21 + keyLength);
  const open = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  open.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString();
}

const prefixed = (key: Buffer) => Buffer.concat([Buffer.from([0, key.length]), key]);
const label = (name: string) => Buffer.from(`Content-Encoding: ${name}\0`);

/**
 * draft-ietf-webpush-encryption-04, section 3, and the one record of
 * draft-ietf-httpbis-encryption-encoding-02: the salt and the sender's key are in headers, the padding before
 * the text.
 */
function decryptLegacy({ headers, body }: Push, { keys, publicKey, auth }: Keys): string {
  const [, salt = ""] = /(?:^|;)salt=([\w-]+)/.exec(String(headers["encryption"])) ?? [];
  const [, dh = ""] = /(?:^|;)dh=([\w-]+)/.exec(String(headers["crypto-key"])) ?? [];
  const sender = Buffer.from(dh, "base64url");
  const context = Buffer.concat([Buffer.from("P-256\0"), prefixed(publicKey), prefixed(sender)]);
  const secret = keys.computeSecret(sender);
  const input = Buffer.from(hkdfSync("sha256", secret, auth, label("auth"), 32));
  const derive = (name: string, length: number) => {
    const info = Buffer.concat([label(name), context]);
    return Buffer.from(hkdfSync("sha256", input, Buffer.from(salt, "base64url"), info, length));
  };
  const open = createDecipheriv("aes-128-gcm", derive("aesgcm", 16), derive("nonce", 12));
  open.setAuthTag(body.subarray(-16));
  const padded = Buffer.concat([open.update(body.subarray(0, -16)), open.final()]);
  return padded.subarray(2 + padded.readUInt16BE(0)).toString();
}

/**
 * The sender: the claims of the VAPID token, if its signature is right (RFC 8292). In its first draft the key
 * was in a header of its own.
 */
export function senderOf({ headers }: Push) {
  const [, draftKey = ""] = /p256ecdsa=([\w-]+)$/.exec(String(headers["crypto-key"])) ?? [];
  const [, token = "", key = draftKey] =
    /^(?:vapid t=|WebPush )([\w.-]+)(?:, ?k=([\w-]+))?$/.exec(headers.authorization ?? "") ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const publicKey = createPublicKey({
    format: "jwk",
    key: {
      kty: "EC",
      crv: "P-256",
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
  });
  const signed = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!signed) throw new Error("The VAPID token is not signed by its key.");
  const { aud, sub } = JSON.parse(Buffer.from(claims, "base64url").toString()) as {
    aud: string;
    sub: string;
  };
  return { key, aud, sub };
}
