/** A failure instead of the answer we asked for. */
export type S3Failure = Error & {
  /** the status of the answer; null where none came */
  status: number | null;
  /** S3's own code (NoSuchBucket, SignatureDoesNotMatch …), or that of the network */
  code: string;
};

export function isS3Failure(error: unknown): error is S3Failure {
  return error instanceof Error && error.name === "S3Failure";
}

export function failure(status: number | null, code: string, cause?: unknown): S3Failure {
  const said = status === null ? "S3 did not answer" : `S3 answered ${status}`;
  const error = new Error(`${said} (${code})`, { cause });
  return Object.assign(error, { name: "S3Failure", status, code });
}

export async function failureOf(answer: Response): Promise<S3Failure> {
  // Errors of S3 are short; anything longer is not read to its end.
  const text = await firstText(answer, 10_000);
  return failure(answer.status, contentOf(text, "Code") || "no answer of S3");
}

export function networkFailure(error: unknown): S3Failure {
  const { cause = error } = error as Error;
  const { code, name } = cause as NodeJS.ErrnoException;
  return failure(null, code ?? name, error);
}

export const timedOut = () => Object.assign(new Error("S3 took too long"), { code: "ETIMEDOUT" });

async function firstText(answer: Response, most: number): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  try {
    for await (const chunk of answer.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > most) break;
    }
  } catch {
    // The status says enough.
  }
  return text;
}

/** Reads an answer without content, so that its connection can be reused. */
export async function discardBody(answer: Response): Promise<void> {
  await answer.arrayBuffer();
}

const entities: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

export function contentOf(xml: string, tag: string): string {
  const content = new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(xml)?.[1] ?? "";
  return content.replace(/&(lt|gt|quot|apos|amp|#\d+);/g, (whole, name: string) =>
    name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1))) : (entities[name] ?? whole),
  );
}

/** What stands in each element of this name. */
export const entriesOf = (text: string, tag: string): string[] =>
  [...text.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(([, entry = ""]) => entry);

/** It can report an error after answering 200. */
export async function throwRefused(answer: Response, but?: string): Promise<void> {
  const refused = /<Error>.*?<Code>(\w+)<\/Code>/s.exec(await answer.text())?.[1];
  if (refused && refused !== but) throw failure(answer.status, refused);
}
