/** Requests something small that every server of ours has. */
export async function isServerReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(10_000);
    return (await fetch("/robots.txt", { method: "HEAD", cache: "no-store", signal })).ok;
  } catch {
    return false;
  }
}
