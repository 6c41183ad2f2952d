import { STATUS_CODES } from "node:http";
import type { ApiDocument } from "#server/api/document.ts";
import { exampleOf, fieldsTable, type Schema } from "#server/api/reference-schemas.ts";
import { referenceStyle } from "#server/api/reference-style.ts";
import { outages } from "#shared/errors.ts";
import { inlineText, richText } from "#server/api/reference-text.ts";
import { escapeHtml } from "#server/platform/html.ts";

type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
};
type Content = Record<string, { schema: Schema }>;
type Answer = {
  description: string;
  content?: Content;
  headers?: Record<string, { description: string }>;
};
type Operation = {
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
};
type Call = Operation & { method: string; path: string; id: string };

type Look = { nonce: string; theme: "light" | "synthwave" };

/** Refusals that say nothing about one call: listed once, at the top. */
const everywhere = new Set<string>([
  ...outages,
  ..."too-many-attempts internal wrong-origin media-type too-large input-invalid".split(" "),
]);

/** The document as a page: every call with what it takes, answers and refuses, and an example. */
export function referencePage(document: ApiDocument): (look: Look) => string {
  const calls = callsOf(document);
  const server = document.servers?.[0]?.url ?? "";
  const byTag = Map.groupBy(calls.toSorted(byReadingOrder), ({ tags }) => tags[0] ?? "Other");
  const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);
  const shared = schemas.filter(([name]) => !name.startsWith("Refusal."));

  const contents = [...byTag].map(
    ([tag, group]) =>
      `<li><a href="#${anchor(tag)}">${escapeHtml(tag)}</a><ul>${group
        .map(
          ({ id, method, summary }) =>
            `<li><a href="#${id}">${badge(method)}<span>${escapeHtml(summary)}</span></a></li>`,
        )
        .join("")}</ul></li>`,
  );
  const navigation =
    `<ul class="contents">${contents.join("")}` +
    `<li><a href="#schemas">Responses</a><ul>${shared
      .map(([name]) => `<li><a href="#schema-${name}">${escapeHtml(name)}</a></li>`)
      .join("")}</ul></li></ul>`;

  const sections = [...byTag].map(
    ([tag, group]) =>
      `<section aria-labelledby="${anchor(tag)}"><h2 id="${anchor(tag)}">${escapeHtml(tag)}</h2>` +
      `${group.map((call) => callSection(call, server)).join("")}</section>`,
  );
  const answered = shared.map(
    ([name, schema]) =>
      `<article class="call"><h3 id="schema-${name}">${escapeHtml(name)}</h3>` +
      `${richText(schema.description ?? "")}${fieldsTable(schema)}</article>`,
  );
  const body =
    `<a class="skip" href="#calls">Skip to the calls</a>` +
    `<header><p><a href="/">Postcard</a></p><h1>Calls for programs</h1></header>` +
    `<div class="page"><details class="menu"><summary>All calls</summary>` +
    `<nav aria-label="Calls, short">${navigation}</nav></details>` +
    `<nav class="side" aria-label="Calls">${navigation}</nav>` +
    `<main id="calls">${richText(document.info.description ?? "")}` +
    `<p>Any call may be refused with ${codes([...everywhere])}. The same as ` +
    `<a href="/api/openapi.json">OpenAPI ${document.openapi}</a> for tools.</p>` +
    `${sections.join("")}<section aria-labelledby="schemas"><h2 id="schemas">Responses</h2>` +
    `${answered.join("")}</section></main></div>`;

  return ({ nonce, theme }) =>
    `<!doctype html><html lang="en" data-theme="${theme}"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>Calls for programs · Postcard</title><link rel="icon" href="/favicon.svg">` +
    `<style nonce="${nonce}">${referenceStyle}</style></head><body>${body}</body></html>`;
}

/**
 * The chapters to read first: the session, then the calls of the home feed. The others follow as declared.
 */
const readingOrder = ["Identity", "Pictures", "Feed", "Posts", "Comments", "Accounts", "Tags"];

function byReadingOrder(one: Call, other: Call): number {
  const rankOf = ({ tags }: Call) => {
    const rank = readingOrder.indexOf(tags[0] ?? "");
    return rank === -1 ? readingOrder.length : rank;
  };
  return rankOf(one) - rankOf(other);
}

function callsOf({ paths = {} }: ApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Operation>).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      id: anchor(`${method} ${path}`),
    })),
  );
}

function callSection(call: Call, server: string): string {
  const { method, path, id, summary, description = "", parameters = [], requestBody } = call;
  const anybody = call.security.some((way) => Object.keys(way).length === 0);
  const sent = requestBody && Object.entries(requestBody.content)[0];
  return (
    `<article class="call"><h3 id="${id}">${escapeHtml(summary)}</h3>` +
    `<p class="line">${badge(method)} <code>${pathText(path)}</code>` +
    `<span class="who">${anybody ? "for everybody" : "for members"}</span></p>` +
    richText(description) +
    parametersTable(parameters) +
    (sent ? `<h4>Send (${escapeHtml(sent[0])})</h4>${fieldsTable(sent[1].schema)}` : "") +
    answers(call) +
    `<h4>Try it</h4><pre tabindex="0"><code>${escapeHtml(curl(call, server, anybody))}</code></pre></article>`
  );
}

function parametersTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return "";
  const properties = Object.fromEntries(
    parameters.map(({ name, in: part, description = "", schema }) => [
      name,
      { ...schema, description: `In the ${part}: ${description}` },
    ]),
  );
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  return `<h4>Parameters</h4>${fieldsTable({ type: "object", properties, required })}`;
}

function answers({ responses }: Call): string {
  const good: string[] = [];
  const refused: string[] = [];
  for (const [status, { description, content, headers = {} }] of Object.entries(responses)) {
    const [type, one] = Object.entries(content ?? {})[0] ?? [];
    const name = one?.schema.$ref?.split("/").at(-1) ?? "";
    if (name.startsWith("Refusal.")) {
      refused.push(
        ...name
          .split(".")
          .slice(2)
          .filter((code) => !everywhere.has(code)),
      );
    } else {
      const descriptionHtml = description === STATUS_CODES[status] ? "" : richText(description);
      const other = type && type !== "application/json" ? `<p>${escapeHtml(type)}</p>` : "";
      const body = one && type === "application/json" ? fieldsTable(one.schema) : "";
      const heads = Object.entries(headers).map(
        ([name, head]) =>
          `<p><code>${escapeHtml(name)}</code>: ${inlineText(head.description)}</p>`,
      );
      good.push(`<h4>Answer ${status}</h4>${descriptionHtml}${other}${body}${heads.join("")}`);
    }
  }
  const also = refused.length > 0 ? `<p>Refused with ${codes(refused)}.</p>` : "";
  return good.join("") + also;
}

function codes(list: readonly string[]): string {
  return list.map((code) => `<code>${escapeHtml(code)}</code>`).join(", ");
}

/** The example to type into a terminal. */
function curl(
  { method, path, requestBody, parameters = [] }: Call,
  server: string,
  anybody: boolean,
) {
  const stand: Record<string, string> = { address: "ada", number: "1" };
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_whole, name: string) => stand[name] ?? `$${name.toUpperCase()}`,
  );
  const lines = [`curl -X ${method} "${server}${filled}"`];
  if (!anybody) lines.push(`-H "Authorization: Bearer $TOKEN"`);
  if (parameters.some(({ name }) => name === "idempotency-key")) {
    lines.push(`-H "Idempotency-Key: $(uuidgen)"`);
  }
  const [type, one] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === "multipart/form-data") lines.push(`-F "image=@photo.jpg"`);
  else if (one) {
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(exampleOf(one.schema))}'`,
    );
  }
  return lines.join(" \\\n  ");
}

function badge(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

/** A path may break after each slash. */
function pathText(path: string): string {
  return escapeHtml(path).replaceAll("/", "/<wbr>");
}

function anchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
