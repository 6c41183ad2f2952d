import { networkInterfaces } from "node:os";
import {
  clockFinding,
  note,
  ok,
  problem,
  type Finding,
} from "#server/platform/admin/doctor/finding.ts";
import type { ObservedRequest } from "#server/platform/admin/doctor/doctor-pass.ts";
import type { Config } from "#server/config.ts";
import { isLoopback } from "#server/platform/networks.ts";

/**
 * An address nobody has (RFC 5737): if the server sees it as the visitor's, it believed what a visitor wrote.
 */
const madeUpAddress = "203.0.113.7";
const timeoutMs = 10_000;

/**
 * Asks the running server, at its public address, how the request reached it: whether it is there, and
 * whether proxies in front of it pass on the visitor's address.
 */
export async function checkReachability(config: Config, pass: string): Promise<Finding[]> {
  const { publicUrl } = config;
  const seen = await ask(publicUrl, pass);
  if (typeof seen !== "string")
    return [ok("Server", `It answers at ${publicUrl}.`), ...reachabilityFindings(config, seen)];
  const direct = directly(config);
  if (direct === publicUrl || typeof (await ask(direct, pass)) === "string") {
    return [
      note(
        "Server",
        `No server of this installation answers at ${publicUrl} (${seen}). Is Postcard running?`,
      ),
    ];
  }
  return [
    problem(
      "Server",
      `It answers at ${direct}, but not at ${publicUrl} (${seen}). Check PUBLIC_URL, the name's address and the proxy.`,
    ),
  ];
}

/** The server's answer, or the reason why there is none. */
async function ask(address: string, pass: string): Promise<ObservedRequest | string> {
  try {
    const answer = await fetch(`${address}/health/seen`, {
      headers: { "x-doctor-pass": pass, "x-forwarded-for": madeUpAddress },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (answer.status === 404) return "what answers there is another Postcard, or none";
    if (!answer.ok) return `status ${answer.status}`;
    return (await answer.json()) as ObservedRequest;
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string } };
    return cause?.code ?? message;
  }
}

function directly({ host, port }: Config): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

export function reachabilityFindings(config: Config, seen: ObservedRequest): Finding[] {
  const findings = [proxy(config, seen)];
  const { host } = new URL(config.publicUrl);
  if (seen.host !== host) {
    findings.push(
      problem(
        "Proxy",
        `It passes on the host ${seen.host} instead of ${host}: signing in with providers and from other pages fails. Let it pass on Host as it is.`,
      ),
    );
  }
  const clock = clockFinding("server's", seen.now - Date.now());
  if (clock) findings.push(clock);
  return findings;
}

/** Limits count by the visitor's address: the server must see it, and not believe what a visitor writes. */
function proxy({ publicUrl, trustProxy }: Config, seen: ObservedRequest): Finding {
  const { connection, visitor, forwardedFor } = seen;
  const added = (forwardedFor ?? "")
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "" && each !== madeUpAddress);
  if (added.length === 0 && forwardedFor !== null && publicUrl.startsWith("http:")) {
    return ok("Visitors", "Requests come straight to Postcard, and it sees who asks.");
  }
  if (added.length === 0) {
    return problem(
      "Visitors",
      forwardedFor === null
        ? "The proxy doesn't say who asks: all visitors share one address and its limits. Let it add the visitor's address to X-Forwarded-For."
        : "The proxy passes X-Forwarded-For on as visitors write it, so anybody gets past the limits. Let it add the address it sees.",
    );
  }
  if (visitor === connection) {
    const missing = isLoopback(connection) ? "loopback" : connection;
    return problem(
      "Visitors",
      `A proxy at ${connection} says who asks, but isn't believed: all visitors share its address and its limits. ` +
        (trustProxy.length === 0
          ? `Set TRUST_PROXY=${missing}.`
          : `Add ${missing} to TRUST_PROXY.`),
    );
  }
  // If the request comes from the proxy's own machine, the visitor's address is a proxy's, and rightly
  // believed.
  if (visitor === madeUpAddress && !isOurs(added.at(-1) ?? "")) {
    return problem(
      "Visitors",
      "TRUST_PROXY names more than the proxies: anybody can choose the address they are counted by. List the proxies alone.",
    );
  }
  return ok("Visitors", "The proxy says who asks, and is believed.");
}

const isOurs = (address: string) =>
  isLoopback(address) ||
  Object.values(networkInterfaces()).some((all) => all?.some((each) => each.address === address));
