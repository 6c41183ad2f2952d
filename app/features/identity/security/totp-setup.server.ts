import { encode } from "uqr";

/** The setup for an authenticator app, in three forms. */
export type TotpSetup = {
  /** `otpauth://totp/…`: opens an app on this device */
  uri: string;
  /** to type it in */
  key: string;
  /** to scan it: a square of `size` modules, the dark ones as an SVG path */
  qr: { size: number; path: string };
};

/** Runs on the server: the browser gets the drawing, not the encoder. */
export function totpSetup(uri: string): TotpSetup {
  const secret = URL.canParse(uri) ? (new URL(uri).searchParams.get("secret") ?? "") : "";
  const { data, size } = encode(uri, { border: 3 });
  return {
    uri,
    key: secret.replace(/(.{4})(?=.)/g, "$1 "),
    qr: { size, path: data.map(rowPath).join("") },
  };
}

/** The same setup as a form sent it back: an address of ours, otherwise null. */
export function returnedSetup(uri: string | undefined): TotpSetup | null {
  return uri && /^otpauth:\/\/totp\/Postcard:[^\s]{1,600}$/.test(uri) ? totpSetup(uri) : null;
}

/** Each run of dark modules in a row as one rectangle. */
function rowPath(row: boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    const width = x + 1 - start;
    path += `M${start} ${y}h${width}v1h-${width}z`;
  }
  return path;
}
