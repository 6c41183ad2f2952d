import { z } from "zod";
import type { Database } from "#server/platform/db/database.ts";
import * as queries from "#server/features/operator/operator-settings.queries.ts";
import { refuse } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { parseSize, formatSize } from "#shared/sizes.ts";

type Definition<Value> = {
  /** what it decides and which values it accepts, for the operator */
  meaning: string;
  schema: z.ZodType<Value>;
  initial: Value;
  /** parses what an operator types; invalid values fail the schema */
  read: (text: string) => unknown;
  show: (value: Value) => string;
};

const define = <Value>(definition: Definition<Value>) => definition;

/** Who may create an account. */
export type SignUpMode = "open" | "invitation" | "closed";
/** Who sees recent photos of everybody. */
export type ExploreMode = "everyone" | "members" | "nobody";

/** Everything an operator can set while Postcard runs. Null bytes mean unlimited. */
const definitions = {
  "sign-up": define<SignUpMode>({
    meaning:
      'who may sign up: "open", "invitation" (with a code of the command invite) or "closed"',
    schema: z.enum(["open", "invitation", "closed"]),
    initial: "open",
    read: (text) => text,
    show: (value) => value,
  }),
  "new-accounts": define<"public" | "private">({
    meaning:
      'whether the posts of new accounts are for everyone or for their followers, until they change that: "public" or "private"',
    schema: z.enum(["public", "private"]),
    initial: "public",
    read: (text) => text,
    show: (value) => value,
  }),
  "storage-per-member": define<number | null>({
    meaning:
      'storage for the pictures of one member: a size such as "10 GB", at least 100 MB, or "unlimited"',
    schema: z.int().min(limits.storage.least).nullable(),
    initial: limits.storage.perMember,
    read: parseQuota,
    show: formatQuota,
  }),
  "site-name": define({
    meaning: "what this place is called, for people who haven't signed in: up to 40 characters",
    schema: z.string().min(1).max(40),
    initial: "Postcard",
    read: oneLine,
    show: (value) => value,
  }),
  "site-line": define({
    meaning: "one line that says what this place is, below the headline: up to 160 characters",
    schema: z.string().min(1).max(160),
    initial: "A small photo network of our own. No ads, no tracking.",
    read: oneLine,
    show: (value) => value,
  }),
  rules: define({
    meaning:
      "the rules of this place, a rule a line, on a page of their own: up to 10,000 characters",
    schema: z.string().min(1).max(10_000),
    initial: [
      "Be kind. Argue with what was said, not with who said it.",
      "Post what is yours, or what you may share. Ask before you show somebody else.",
      "No threats, harassment or shaming. Keep other people's private lives private.",
      "No hate against people for who they are.",
      "No sexual content, and no violence for its own sake.",
      "No spam, no scams, no pretending to be somebody else.",
    ].join("\n"),
    read: lines,
    show: (value) => value,
  }),
  explore: define<ExploreMode>({
    meaning:
      'who sees recent photos of everybody, on the front page and in Search: "everyone", "members" or "nobody"',
    schema: z.enum(["everyone", "members", "nobody"]),
    initial: "everyone",
    read: (text) => text,
    show: (value) => value,
  }),
};

export type SettingName = keyof typeof definitions;
const names = Object.keys(definitions) as SettingName[];
type ValueOf<Name extends SettingName> = (typeof definitions)[Name]["initial"];

/** "unlimited" is null, a size its bytes, anything else undefined. */
function parseQuota(text: string): number | null | undefined {
  return text === "unlimited" ? null : (parseSize(text) ?? undefined);
}

/** Names contain no line breaks or terminal control characters. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

/** Lines as typed, without terminal control characters and without empty lines. */
function lines(text: string): string {
  return text
    .split(/\r\n?|\n/)
    .map(oneLine)
    .filter((line) => line !== "")
    .join("\n");
}

export function formatQuota(bytes: number | null): string {
  return bytes === null ? "unlimited" : formatSize(bytes);
}

/**
 * The operator's settings, one row each. Nothing is cached: every server on the database follows a change
 * from its next read on.
 */
export function createOperatorSettings({ db }: { db: Database }) {
  /** Throws when a row has an invalid value: no response is better than a wrong rule. */
  async function get<Name extends SettingName>(name: Name): Promise<ValueOf<Name>> {
    return settingValue(name, await queries.readSetting(db, name));
  }

  /** Several in one round trip. Throws as `get` does. */
  async function getAll<const Name extends SettingName>(
    names: readonly Name[],
  ): Promise<{ [Each in Name]: ValueOf<Each> }> {
    const rows = await queries.readSettings(db, names);
    const values = names.map((name) => [name, settingValue(name, rows.get(name))]);
    return Object.fromEntries(values) as { [Each in Name]: ValueOf<Each> };
  }

  /** Those of this place, in their order. */
  async function rules(): Promise<string[]> {
    return (await get("rules")).split("\n");
  }

  /** Every setting as it would be typed. */
  async function typed(): Promise<Record<SettingName, string>> {
    const values = await getAll(names);
    const entries = names.map((name) => [name, shown(name, values[name])]);
    return Object.fromEntries(entries) as Record<SettingName, string>;
  }

  /**
   * Sets several, or none: refuses with input-invalid and a sentence for each invalid value. Returns the
   * changes as they are shown.
   */
  async function setAll(texts: Partial<Record<SettingName, string>>): Promise<[string, string][]> {
    const fields: Record<string, string> = {};
    const changes: [SettingName, unknown][] = [];
    for (const [name, text] of Object.entries(texts) as [SettingName, string][]) {
      const parsed = parse(name, text);
      if (parsed.success) changes.push([name, parsed.data]);
      else fields[name] = `Not a value for this: ${definitions[name].meaning}.`;
    }
    if (Object.keys(fields).length > 0) throw refuse("input-invalid", { fields });
    return db.transaction(async () => {
      const different: [string, string][] = [];
      for (const [name, value] of changes) {
        const text = shown(name, value as never);
        if (shown(name, await get(name)) === text) continue;
        await queries.writeSetting(db, name, value);
        different.push([name, text]);
      }
      return different;
    });
  }

  /** Every setting with its meaning and its current value. */
  async function list(): Promise<{ name: string; meaning: string; value: string }[]> {
    const values = await typed();
    return names.map((name) => ({
      name,
      meaning: definitions[name].meaning,
      value: values[name],
    }));
  }

  /** Returns the value as it is shown. Throws an Error with a sentence for an invalid name or value. */
  async function set(name: string, text: string): Promise<string> {
    if (!isName(name)) {
      throw new Error(`"${name}" isn't a setting. Settings: ${names.join(", ")}.`);
    }
    const parsed = parse(name, text);
    const { meaning } = definitions[name];
    if (!parsed.success) throw new Error(`"${text}" isn't a valid value for ${name}: ${meaning}.`);
    await queries.writeSetting(db, name, parsed.data);
    return shown(name, parsed.data as never);
  }

  return { get, getAll, rules, typed, list, set, setAll };
}

export type OperatorSettings = ReturnType<typeof createOperatorSettings>;

/** The value of a row that may be missing. */
export function settingValue<Name extends SettingName>(name: Name, row: unknown): ValueOf<Name> {
  const { schema, initial } = definitions[name];
  if (row === undefined) return initial as ValueOf<Name>;
  const parsed = schema.safeParse(row);
  if (parsed.success) return parsed.data as ValueOf<Name>;
  throw new Error(`the operator's setting ${name} holds no value of its own: set it again`);
}

/** Parses what an operator typed. */
function parse(name: SettingName, text: string): z.ZodSafeParseResult<unknown> {
  const { schema, read } = definitions[name];
  return schema.safeParse(read(text.trim()));
}

function shown<Name extends SettingName>(name: Name, value: ValueOf<Name>): string {
  return (definitions[name].show as (value: ValueOf<Name>) => string)(value);
}

function isName(name: string): name is SettingName {
  return Object.hasOwn(definitions, name);
}
