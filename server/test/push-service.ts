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

/** A push service on this machine: takes messages as RFC 8030 says and keeps them. */
export async function openPushService() {
  const received: Push[] = [];
  /** path → the status it answers with, once it is set */
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

  /** A browser that subscribes here: its address, and what it reads in a message. */
  function browser() {
    const keys = createECDH("prime256v1");
    const auth = randomBytes(16);
    const path = `/push/${randomBytes(8).toString("hex")}`;
    const publicKey = keys.generateKeys();
    return {
      path,
      address: {
        endpoint: origin + path,
        p256dh: publicKey.toString("base64url"),
        auth: auth.toString("base64url"),
      },
      read: () =>
        received
          .filter((push) => push.path === path)
          .map(({ body }) => JSON.parse(decrypt(body, { keys, publicKey, auth })) as unknown),
      answer: (status: number) => answers.set(path, status),
    };
  }

  return { origin, received, browser };
}

type Keys = { keys: ReturnType<typeof createECDH>; publicKey: Buffer; auth: Buffer };

/** RFC 8291, section 3.4, and the one record of RFC 8188. */
function decrypt(message: Buffer, { keys, publicKey, auth }: Keys): string {
  const salt = message.subarray(0, 16);
  const keyLength = message.readUInt8(20);
  const sender = message.subarray(21, 21 + keyLength);
  const secret = keys.computeSecret(sender);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), publicKey, sender]);
  const input = Buffer.from(hkdfSync("sha256", secret, auth, info, 32));
  const derive = (label: string, length: number) =>
    Buffer.from(
      hkdfSync("sha256", input, salt, Buffer.from(`Content-Encoding: ${label}\0`), length),
    );
  const sealed = message.subarray(21 + keyLength);
  const open = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  open.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
  const end = padded.lastIndexOf(2);
  return padded.subarray(0, end).toString();
}

/** Who says to have sent it: the claims of the VAPID token, if its signature is right (RFC 8292). */
export function senderOf({ headers }: Push) {
  const [, token = "", key = ""] =
    /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(headers.authorization ?? "") ?? [];
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
