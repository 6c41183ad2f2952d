import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  type webcrypto,
} from "node:crypto";

/** A passkey as an authenticator stores it, in a form that fits into a file. */
export type StoredPasskey = {
  credentialId: string;
  userHandle: string;
  counter: number;
  key: webcrypto.JsonWebKey;
};

type Registration = { challenge: string; rp: { id?: string }; user: { id: string } };
type SignIn = { challenge: string; rpId?: string };

/** Bits of authenticator data (WebAuthn, section 6.1). */
const flags = { present: 0x01, verified: 0x04, keyIncluded: 0x40 };

/**
 * An authenticator in software, for ceremonies without a browser: keys on P-256, attestation "none" (WebAuthn
 * level 3, sections 6.5 and 8.7). `verified`: whether its owner was verified by a fingerprint, their face or
 * a PIN.
 */
export function softwareAuthenticator(origin = "http://localhost:3000", { verified = true } = {}) {
  const shown = flags.present | (verified ? flags.verified : 0);

  /** Makes a new passkey, and returns the browser's response. */
  function register({ challenge, rp, user }: Registration): {
    kept: StoredPasskey;
    response: string;
  } {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ format: "jwk" });
    const id = createHash("sha256").update(JSON.stringify(key)).digest();
    const kept = {
      credentialId: id.toString("base64url"),
      userHandle: user.id,
      counter: 1,
      key,
    };
    const attested = Buffer.concat([Buffer.alloc(16), uint(id.length, 2), id, coseKey(key)]);
    const data = authenticatorData(rp.id ?? "", shown | flags.keyIncluded, kept.counter);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      cborText("fmt"),
      cborText("none"),
      cborText("attStmt"),
      Buffer.from([0xa0]),
      cborText("authData"),
      cborBytes(Buffer.concat([data, attested])),
    ]);
    const response = JSON.stringify({
      id: kept.credentialId,
      rawId: kept.credentialId,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData("webauthn.create", challenge).toString("base64url"),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      },
    });
    return { kept, response };
  }

  /** The browser's response when a passkey is used; its counter is one higher each time. */
  function signIn({ challenge, rpId = "" }: SignIn, kept: StoredPasskey): string {
    kept.counter += 1;
    const data = authenticatorData(rpId, shown, kept.counter);
    const client = clientData("webauthn.get", challenge);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    const key = createPrivateKey({ format: "jwk", key: kept.key });
    return JSON.stringify({
      id: kept.credentialId,
      rawId: kept.credentialId,
      type: "public-key",
      clientExtensionResults: {},
      response: {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, key).toString("base64url"),
        userHandle: kept.userHandle,
      },
    });
  }

  function clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  return { register, signIn };
}

function authenticatorData(rpId: string, bits: number, counter: number): Buffer {
  const rpIdHash = createHash("sha256").update(rpId).digest();
  return Buffer.concat([rpIdHash, Buffer.from([bits]), uint(counter, 4)]);
}

/** ES256 on P-256 (RFC 9053, section 7.1.1), in CBOR. */
function coseKey(key: webcrypto.JsonWebKey): Buffer {
  const { x = "", y = "" } = createPublicKey({ format: "jwk", key }).export({ format: "jwk" });
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]),
    cborBytes(Buffer.from(x, "base64url")),
    Buffer.from([0x22]),
    cborBytes(Buffer.from(y, "base64url")),
  ]);
}

/** At most 23 characters. */
function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}

/** At most 255 bytes. */
function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes]);
}

function uint(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}
