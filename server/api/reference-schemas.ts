import { inlineText } from "#server/api/reference-text.ts";
import { escapeHtml } from "#server/platform/html.ts";

/** The part of JSON Schema that our declarations turn into. */
export type Schema = {
  $ref?: string;
  type?: string | string[];
  description?: string;
  format?: string;
  const?: unknown;
  enum?: unknown[];
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
};

/** An object's fields as rows, objects within it as fields with dots; a reference as a link. */
export function fieldsTable(schema: Schema): string {
  const rows = rowsOf(schema, "");
  if (rows.length === 0) return `<p>${typeText(schema)}</p>`;
  return (
    `<div class="scroll" tabindex="0" role="group" aria-label="Fields"><table><thead><tr>` +
    `<th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>` +
    `<tbody>${rows.join("")}</tbody></table></div>`
  );
}

function rowsOf(schema: Schema, prefix: string): string[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const optional = required.has(name) ? "" : ` <span class="optional">optional</span>`;
    const row =
      `<tr><th scope="row"><code>${escapeHtml(path)}</code>${optional}</th>` +
      `<td>${typeText(field)}</td><td>${inlineText(field.description ?? "")}</td></tr>`;
    if (field.properties) return [row, ...rowsOf(field, `${path}.`)];
    if (field.items?.properties) return [row, ...rowsOf(field.items, `${path}[].`)];
    return [row];
  });
}

function typeText(schema: Schema): string {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1) ?? "";
    return `<a href="#schema-${encodeURIComponent(name)}">${escapeHtml(name)}</a>`;
  }
  const several = schema.anyOf ?? schema.allOf;
  if (several) return several.map(typeText).join(" or ");
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.enum) {
    return schema.enum.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(" or ");
  }
  if (schema.type === "array")
    return `list of ${schema.items ? typeText(schema.items) : "anything"}`;
  const type = [schema.type ?? "anything"].flat().join(" or ");
  return escapeHtml(schema.format ? `${type} (${schema.format})` : type);
}

/** An example value of a call's input. */
export function exampleOf(schema: Schema, name = ""): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, name);
  const [type] = [schema.type].flat();
  if (type === "array") return [];
  if (type === "object" || schema.properties) {
    const all = Object.entries(schema.properties ?? {});
    const needed = all.filter(([field]) => schema.required?.includes(field));
    const shown = needed.length > 0 ? needed : all.slice(0, 1);
    return Object.fromEntries(shown.map(([field, one]) => [field, exampleOf(one, field)]));
  }
  if (type === "integer" || type === "number") return 1;
  if (type === "boolean") return true;
  const words: Record<string, string> = {
    email: "ada@example.org",
    password: "correct horse battery 9",
    displayName: "Ada Lovelace",
  };
  return words[name] ?? "…";
}
