import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

type Answer = { content?: Record<string, unknown>; headers?: Record<string, unknown> };
type Document = { paths: Record<string, Record<string, { responses: Record<string, Answer> }>> };

/** How an answer differs from the server's own OpenAPI document; null if it doesn't. */
export type Compare = (
  request: { method: string; path: string },
  answer: Response,
) => Promise<string | null>;

/** Reads the document that a server gives to its clients. */
export async function describedAt(base: string): Promise<Compare> {
  const document = (await (await fetch(`${base}/api/openapi.json`)).json()) as Document;
  // `discriminator`, `xml` and the like are OpenAPI's own words
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "document");

  return async ({ method, path }, answer) => {
    const [template = "", operation] = operationAt(document, method, path) ?? [];
    const response = operation?.responses[answer.status];
    if (!response) return `${method} ${path}: ${answer.status} is not described`;
    const type = answer.headers.get("content-type")?.split(";", 1)[0] ?? "";
    const text = await answer.clone().text();
    if (!response.content)
      return text === "" ? null : `${method} ${path}: a body was not described`;
    if (!response.content[type]) return `${method} ${path}: ${type} is not described`;
    const place = [template, method.toLowerCase(), "responses", answer.status, "content", type];
    const $ref = `document#/paths/${[...place, "schema"].map(inPointer).join("/")}`;
    const check = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    return check(JSON.parse(text)) ? null : `${method} ${path}: ${ajv.errorsText(check.errors)}`;
  };
}

/** The operation with this address; the one with more fixed words comes first. */
function operationAt({ paths }: Document, method: string, path: string) {
  const [asked = ""] = path.split("?", 1);
  return Object.entries(paths)
    .flatMap(([template, item]) => {
      const operation = item[method.toLowerCase()];
      return operation ? [[template, operation] as const] : [];
    })
    .filter(([template]) => new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`).test(asked))
    .toSorted(([one], [other]) => one.split("{").length - other.split("{").length)[0];
}

/** A name inside a JSON pointer (RFC 6901) inside a URI fragment. */
function inPointer(name: string | number): string {
  return encodeURIComponent(String(name).replaceAll("~", "~0").replaceAll("/", "~1"));
}
