import { createPublicKey } from "node:crypto";
import webPush from "web-push";
import { askPublicWeb, publicWebAddress } from "#server/adapters/public-web.ts";

/** A browser, as its push service and its keys (RFC 8030, RFC 8291). */
export type PushAddress = { endpoint: string; p256dh: string; auth: string };

/** What is wrong with a subscription: the address isn't a push service's, or a key is invalid. */
export type AddressProblem = keyof PushAddress;

/** The installation's own keys (RFC 8292), base64url. */
export type VapidKeys = { publicKey: string; privateKey: string };

export type PushSender = {
  /** what browsers subscribe with */
  publicKey: string;
  /** why an address may not be pushed to at all; null if it may */
  problemOf: (address: PushAddress) => AddressProblem | null;
  /**
   * "gone": the browser no longer accepts pushes from us. Throws if it may work later. Encrypted as RFC 8291
   * says or, if the address is not `standard`, as its fourth draft did ("aesgcm").
   */
  send: (
    address: PushAddress & { standard?: boolean },
    payload: string,
    topic: string,
  ) => Promise<"sent" | "gone">;
  /** Whether anything answers at the origin of a push service, whatever its answer. */
  answersAt: (origin: string) => Promise<boolean>;
};

type Options = {
  keys: VapidKeys;
  publicUrl: string;
  /** tests have their push service on this machine */
  loopback?: boolean;
};

/** How long a push service stores it for a browser that is away, seconds. */
const ttlSeconds = 24 * 60 * 60;
const timeoutMs = 10_000;
/** A push service's answer is not read beyond this, bytes. */
const mostAnswer = 10_000;

export function createPushSender({ keys, publicUrl, loopback = false }: Options): PushSender {
  // The contact about pushes: RFC 8292, section 2.1
  const https = publicUrl.startsWith("https:");
  const subject = https ? publicUrl : `mailto:postcard@${new URL(publicUrl).hostname}`;
  const vapidDetails = { subject, ...keys };

  function problemOf({ endpoint, p256dh, auth }: PushAddress): AddressProblem | null {
    if (!publicWebAddress(endpoint, loopback)) return "endpoint";
    // A point on the curve P-256, uncompressed, and 16 secret bytes.
    if (!/^[\w-]+=*$/.test(p256dh) || !isPoint(Buffer.from(p256dh, "base64url"))) return "p256dh";
    if (!/^[\w-]+=*$/.test(auth) || Buffer.from(auth, "base64url").length !== 16) return "auth";
    return null;
  }

  const send: PushSender["send"] = async (address, payload, topic) => {
    if (problemOf(address)) return "gone";
    const { endpoint, p256dh, auth, standard = true } = address;
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      vapidDetails,
      contentEncoding: standard ? "aes128gcm" : "aesgcm",
      TTL: ttlSeconds,
      topic,
    });
    const { headers, body } = details;
    const status = await ask(endpoint, { method: "POST", headers, body, loopback });
    if (status === 404 || status === 410) return "gone";
    if (status < 200 || status > 299) throw new Error(`A push service answered ${status}.`);
    return "sent";
  };

  async function answersAt(origin: string): Promise<boolean> {
    const asked = ask(origin, { method: "HEAD", headers: {}, body: null, loopback });
    return asked.then(
      () => true,
      () => false,
    );
  }

  return { publicKey: keys.publicKey, problemOf, send, answersAt };
}

function isPoint(key: Buffer): boolean {
  if (key.length !== 65 || key[0] !== 4) return false;
  const [x, y] = [key.subarray(1, 33), key.subarray(33)].map((part) => part.toString("base64url"));
  try {
    createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x, y } });
    return true;
  } catch {
    return false;
  }
}

type PushRequest = {
  method: "POST" | "HEAD";
  headers: unknown;
  body: Buffer | null;
  loopback: boolean;
};

/** The status of the answer, which is read as far as it may be long. */
async function ask(address: string, { headers, ...request }: PushRequest): Promise<number> {
  const answer = await askPublicWeb(new URL(address), {
    ...request,
    headers: headers as Record<string, string | number>,
    signal: AbortSignal.timeout(timeoutMs),
  });
  let read = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      read += chunk.length;
      if (read > mostAnswer) break;
    }
  } catch {
    // The status says enough.
  }
  return answer.statusCode ?? 0;
}

export function makeVapidKeys(): VapidKeys {
  return webPush.generateVAPIDKeys();
}
