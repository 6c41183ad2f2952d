import { qrCode, type QrDrawing } from "#app/lib/page/qr-code.server.ts";

/** The setup for an authenticator app, in three forms. */
export type TotpSetup = {
  /** `otpauth://totp/…`: opens an app on this device */
  uri: string;
  /** to type it in */
  key: string;
  /** to scan it */
  qr: QrDrawing;
};

export function totpSetup(uri: string): TotpSetup {
  const secret = URL.canParse(uri) ? (new URL(uri).searchParams.get("secret") ?? "") : "";
  return {
    uri,
    key: secret.replace(/(.{4})(?=.)/g, "$1 "),
    qr: qrCode(uri),
  };
}

/** The same setup as a form sent it back: an address of ours, otherwise null. */
export function returnedSetup(uri: string | undefined): TotpSetup | null {
  return uri && /^otpauth:\/\/totp\/Postcard:[^\s]{1,600}$/.test(uri) ? totpSetup(uri) : null;
}
