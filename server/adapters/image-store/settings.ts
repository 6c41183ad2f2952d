/** Where images are stored, as the operator configured it. */
export type ImageStoreSettings =
  | { kind: "disk" }
  /** the image host's key, and where its API is, without a slash at the end */
  | { kind: "imgbb"; key: string; api: string }
  | ({ kind: "s3" } & S3Settings);

export type S3Settings = {
  /** where the API is, without a slash at the end */
  endpoint: string;
  bucket: string;
  region: string;
  /** the folder in the bucket, with a slash at the end; empty for the whole bucket */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
};

type Environment = Record<string, string | undefined>;
/** The checked values for the image host. */
type Imgbb = { key: string | undefined; api: string };

const example = "s3://bucket?endpoint=https://s3.example.org&region=eu-west-1";

/**
 * The store that IMAGE_STORE names, and the one that IMAGE_STORE_FROM names while images are moved
 * to it. Throws an Error whose message is one sentence for the operator; it never repeats a secret.
 */
export function readImageStores(
  given: Environment,
  imgbb: Imgbb,
): { imageStore: ImageStoreSettings; imageStoreFrom: ImageStoreSettings | null } {
  const imageStore = readStore(given, "IMAGE_STORE", imgbb);
  if (!given["IMAGE_STORE_FROM"]) return { imageStore, imageStoreFrom: null };
  const imageStoreFrom = readStore(given, "IMAGE_STORE_FROM", imgbb);
  refuseOverlap(imageStore, imageStoreFrom);
  return { imageStore, imageStoreFrom };
}

/** `BACKUP_DIR` may have keys of its own, as a store that is being moved away from. */
const ownKeys = { IMAGE_STORE: "S3_", IMAGE_STORE_FROM: "S3_FROM_", BACKUP_DIR: "S3_BACKUP_" };
type Variable = keyof typeof ownKeys;

/** A bucket that a variable, or an operand in its place, names. Throws one sentence. */
export const readBucket = (given: Environment, variable: Variable, text: string): S3Settings => ({
  ...readS3Address(variable, text),
  ...readS3Keys(given, variable),
});

function readStore(
  given: Environment,
  variable: "IMAGE_STORE" | "IMAGE_STORE_FROM",
  { key, api }: Imgbb,
): ImageStoreSettings {
  const text = given[variable]?.trim() ?? "disk";
  if (text === "disk") return { kind: "disk" };
  if (text === "imgbb") {
    if (key) return { kind: "imgbb", key, api };
    throw new Error(
      `${variable} is imgbb, but IMGBB_KEY is empty: set it to your key for that host.`,
    );
  }
  if (text.startsWith("s3://")) {
    return { kind: "s3", ...readBucket(given, variable, text) };
  }
  throw new Error(
    `${variable} is ${JSON.stringify(shortened(text))}, but must be disk, imgbb or ${example}.`,
  );
}

/** The parts of `s3://bucket/folder?endpoint=…&region=…`. Errors name what is wrong, but never repeat it. */
function readS3Address(
  variable: string,
  text: string,
): Pick<S3Settings, "bucket" | "prefix" | "endpoint" | "region"> {
  const wrong = (what: string) => new Error(`${variable} ${what}, such as ${example}.`);
  if (!URL.canParse(text)) throw wrong("isn't a complete S3 address");
  const {
    hostname: bucket,
    port,
    username,
    password,
    pathname,
    hash,
    searchParams,
  } = new URL(text);
  if (username || password) {
    throw wrong(
      "must not hold keys: set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, and an address",
    );
  }
  if (port || hash || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw wrong("needs the name of a bucket: 3 to 63 lowercase letters, digits, dots and hyphens");
  }
  const folder = pathname.replace(/^\/|\/$/g, "");
  if (folder !== "" && !/^(?!.*(^|\/)\.)[\w.-]+(\/[\w.-]+)*$/.test(folder)) {
    throw wrong("has a folder with other characters than letters, digits, dots, hyphens and _");
  }
  for (const name of new Set(searchParams.keys())) {
    if (!["endpoint", "region"].includes(name) || searchParams.getAll(name).length > 1) {
      throw wrong("may say endpoint and region after its question mark, each once");
    }
  }
  const endpoint = searchParams.get("endpoint") ?? "";
  if (!isPlainAddress(endpoint)) throw wrong("needs an http or https endpoint");
  const region = searchParams.get("region") ?? "us-east-1";
  if (!/^[a-z0-9-]{1,50}$/.test(region))
    throw wrong("needs a region of letters, digits and hyphens");
  return {
    bucket,
    prefix: folder && `${folder}/`,
    // oxlint-disable-next-line regexp/no-super-linear-move -- the operator's own
    endpoint: endpoint.replace(/\/+$/, ""),
    region,
  };
}

function readS3Keys(
  given: Environment,
  variable: Variable,
): Pick<S3Settings, "accessKeyId" | "secretAccessKey"> {
  const own = ownKeys[variable];
  const hasOwn = given[`${own}ACCESS_KEY_ID`] || given[`${own}SECRET_ACCESS_KEY`];
  const start = hasOwn ? own : "S3_";
  const names = [`${start}ACCESS_KEY_ID`, `${start}SECRET_ACCESS_KEY`] as const;
  const [accessKeyId = "", secretAccessKey = ""] = names.map((name) => given[name]?.trim());
  if (accessKeyId === "" || secretAccessKey === "") {
    throw new Error(
      `${variable} is an S3 address, but ${names.join(" or ")} is empty: set both to your keys for it.`,
    );
  }
  if (!/^[\x21-\x7e]+$/.test(accessKeyId + secretAccessKey)) {
    throw new Error(`${names.join(" or ")} has a character that no key has.`);
  }
  return { accessKeyId, secretAccessKey };
}

/** Two stores that share files would lose them when one of the two is emptied. */
function refuseOverlap(to: ImageStoreSettings, from: ImageStoreSettings): void {
  if (to.kind !== "s3" && from.kind !== "s3") {
    throw new Error(
      `IMAGE_STORE_FROM is ${from.kind} and IMAGE_STORE is ${to.kind}, but one of them must be an S3 address.`,
    );
  }
  if (to.kind === "s3" && from.kind === "s3")
    refuseNested(to, "IMAGE_STORE", from, "IMAGE_STORE_FROM");
}

/** Throws one sentence if one of two folders in buckets lies in the other. */
export function refuseNested(
  one: S3Settings,
  its: string,
  other: S3Settings,
  others: string,
): void {
  const within = one.prefix.startsWith(other.prefix) || other.prefix.startsWith(one.prefix);
  if (!within || one.bucket !== other.bucket || one.endpoint !== other.endpoint) return;
  throw new Error(
    `${others} and ${its} lie in each other, but must be different buckets or folders.`,
  );
}

/** An address that requests can be sent to: no user, no query. */
export function isPlainAddress(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { username, search, hash } = new URL(text);
  return username === "" && search === "" && hash === "" && !/[?#@]/.test(text);
}

function shortened(text: string): string {
  const safe = text.replace(/\/\/[^@/]*@/, "//…@");
  return safe.length > 80 ? `${safe.slice(0, 80)}…` : safe;
}
