import { isLoopback } from "#server/platform/networks.ts";

/** A provider where people may sign in, as the operator configured it. */
export type ProviderSettings = {
  kind: "oidc" | "github";
  /** used in addresses: lower case, digits and hyphens */
  name: string;
  /** what people read: "Continue with {label}" */
  label: string;
  /** OpenID Connect: its issuer; GitHub: the address of GitHub or of a GitHub Enterprise Server */
  issuer: string;
  clientId: string;
  clientSecret: string;
};

const googleIssuer = "https://accounts.google.com";
const githubAddress = "https://github.com";

/** More would be a list of logos, not a way to sign in. */
const labelLength = 40;

type Environment = Record<string, string | undefined>;

/**
 * The identity providers that the variables of an environment describe, Google and GitHub first.
 * Throws an Error whose message is one sentence for the operator; it never repeats a secret.
 */
export function readProviders(given: Environment): ProviderSettings[] {
  const providers: ProviderSettings[] = [];
  if (isWanted(given, ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"])) {
    const client = clientOf(given, "GOOGLE");
    providers.push({
      kind: "oidc",
      name: "google",
      label: "Google",
      issuer: googleIssuer,
      ...client,
    });
  }
  if (isWanted(given, ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET", "GITHUB_URL"])) {
    const client = clientOf(given, "GITHUB");
    const issuer = issuerOf("GITHUB_URL", given["GITHUB_URL"] ?? githubAddress).replace(/\/$/, "");
    providers.push({ kind: "github", name: "github", label: "GitHub", issuer, ...client });
  }
  return [...providers, ...readOidc(given)];
}

const oidcVariable =
  /^OIDC_(?:([A-Z0-9](?:[A-Z0-9_]*[A-Z0-9])?)_)?(ISSUER|CLIENT_ID|CLIENT_SECRET|LABEL)$/;

function readOidc(given: Environment): ProviderSettings[] {
  const prefixes = new Map<string, string>();
  for (const variable of Object.keys(given).filter((key) => key.startsWith("OIDC_"))) {
    const [matched, name] = oidcVariable.exec(variable) ?? [];
    if (!matched || !name) {
      throw new Error(
        `${variable} is set, but is no variable of a provider: write OIDC_<NAME>_ISSUER, OIDC_<NAME>_CLIENT_ID, OIDC_<NAME>_CLIENT_SECRET and OIDC_<NAME>_LABEL.`,
      );
    }
    prefixes.set(name.toLowerCase().replaceAll("_", "-"), `OIDC_${name}`);
  }
  return [...prefixes].toSorted().map(([name, prefix]) => {
    if (name === "google" || name === "github") {
      throw new Error(
        `${prefix}_… is set, but ${name} has variables of its own: choose another name.`,
      );
    }
    const client = clientOf(given, prefix);
    const issuer = issuerOf(`${prefix}_ISSUER`, required(given, `${prefix}_ISSUER`, prefix));
    if (isForEveryTenant(issuer)) {
      throw new Error(
        `${prefix}_ISSUER is Microsoft's address for every tenant, and anybody can own one: name a single tenant, https://login.microsoftonline.com/TENANT-ID/v2.0.`,
      );
    }
    const label = (given[`${prefix}_LABEL`] ?? capitalised(name)).trim();
    if (label.length > labelLength) {
      throw new Error(
        `${prefix}_LABEL has ${label.length} characters, but must have at most ${labelLength}.`,
      );
    }
    return { kind: "oidc", name, label, issuer, ...client };
  });
}

const isWanted = (given: Environment, variables: string[]) =>
  variables.some((variable) => given[variable] !== undefined);

function clientOf(given: Environment, prefix: string) {
  return {
    clientId: required(given, `${prefix}_CLIENT_ID`, prefix),
    clientSecret: required(given, `${prefix}_CLIENT_SECRET`, prefix),
  };
}

/** Better to report half a provider than to ignore it. */
function required(given: Environment, variable: string, prefix: string): string {
  const value = given[variable]?.trim();
  if (value) return value;
  throw new Error(`${variable} is empty, but must be set: another variable of ${prefix} is.`);
}

function issuerOf(variable: string, text: string): string {
  const wanted = text.trim();
  if (!URL.canParse(wanted) || !isSafe(new URL(wanted)) || /[?#]/.test(wanted)) {
    throw new Error(
      `${variable} is ${JSON.stringify(wanted.replace(/\/\/[^@/]*@/, "//…@").slice(0, 80))}, but must be an https address without a query, such as https://id.example.org.`,
    );
  }
  return wanted;
}

/**
 * Microsoft Entra's `common` and `organizations` speak for every tenant, under an issuer with a
 * placeholder: learn.microsoft.com, "OpenID Connect on the Microsoft identity platform". The owner
 * of any tenant could sign in as an email of another.
 */
function isForEveryTenant(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  const microsofts =
    /^login\.(?:microsoftonline\.(?:com|us)|partner\.microsoftonline\.cn)$|^sts\.windows\.net$/;
  return (
    microsofts.test(hostname) && /^\/(?:common|organizations|%7Btenantid%7D)\b/i.test(pathname)
  );
}

/** A provider's answers decide who somebody is: over the network by https only. */
function isSafe({ protocol, hostname, username, password }: URL): boolean {
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

function capitalised(name: string): string {
  return name
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(" ");
}
