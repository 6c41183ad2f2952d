import type { Page } from "@playwright/test";
import { expect } from "./stories.ts";

export const kinds = ["Document", "Script", "Stylesheet", "Font", "Image"] as const;
export type Kind = (typeof kinds)[number] | "Other";

/** A file that a page received: its bytes as they were sent, compressed. */
type File = { kind: Kind; path: string; bytes: number };

/**
 * What a browser receives at `path` until nothing more has come for two seconds, scripts that load once the page is
 * interactive included, and nobody has done anything.
 */
export async function received(page: Page, path: string): Promise<File[]> {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const bytes = new Map<string, number>();
  const files = new Map<string, Omit<File, "bytes">>();
  let last = Date.now();
  network.on("Network.responseReceived", ({ requestId, type, response }) => {
    last = Date.now();
    const kind = kinds.find((each) => each === type) ?? "Other";
    files.set(requestId, { kind, path: new URL(response.url).pathname });
  });
  network.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
    last = Date.now();
    bytes.set(requestId, (bytes.get(requestId) ?? 0) + encodedDataLength);
  });
  // Documents arrive in pieces whose lengths are not said: with their headers.
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (files.get(requestId)?.kind === "Document") bytes.set(requestId, encodedDataLength);
  });
  await page.goto(path);
  await expect(page.locator("html[data-alive]")).toBeAttached();
  await expect.poll(() => Date.now() - last, { timeout: 60_000 }).toBeGreaterThan(2_000);
  await expect(page.locator("html[data-acted]"), "nobody did anything").toHaveCount(0);
  return [...files].map(([id, file]) => ({ ...file, bytes: bytes.get(id) ?? 0 }));
}

export const sumOf = (files: File[], kind?: Kind): number =>
  files.reduce((sum, file) => sum + (!kind || file.kind === kind ? file.bytes : 0), 0);

export const linesOf = (files: File[]): string[] =>
  files.map(({ bytes, path }) => `${String(bytes).padStart(7)} ${path}`);

export const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;
