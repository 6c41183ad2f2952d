import { z } from "zod";
import { isRefusal } from "#shared/errors.ts";
import type { ExportZip } from "#shared/exports/export-zip.ts";
import { limits } from "#shared/limits.ts";

type Zip = Pick<ExportZip, "names" | "head" | "items" | "json">;
type Service = {
  kind: "instagram" | "mastodon" | "pixelfed";
  file: RegExp;
  read: (zip: Zip, name: string) => Promise<string[]>;
};

/** Whom the account of an export followed there, as addresses or as @name@host. */
export type Followed = { kind: Service["kind"]; accounts: string[] };

const services: Service[] = [
  // In the parts of an export that people have; a name of its own since 2025.
  {
    kind: "instagram",
    file: /(?:^|\/)following(?:_\d+)?\.json$/,
    read: readInstagram,
  },
  // Mastodon and Pixelfed have it beside their archives, as a file of its own.
  { kind: "mastodon", file: /(?:^|\/)following_accounts(?: ?\(\d+\))?\.csv$/, read: readMastodon },
  { kind: "pixelfed", file: /(?:^|\/)pixelfed-following(?: ?\(\d+\))?\.json$/, read: readPixelfed },
];

/** Whom its account followed; null where an export does not say it. It stays on the device until its owner asks. */
export async function followedIn(zip: Zip): Promise<Followed | null> {
  const found = new Set<string>();
  let kind: Followed["kind"] | null = null;
  for (const service of services) {
    for (const name of zip.names.filter((each) => service.file.test(each))) {
      const accounts = await service.read(zip, name).catch((error: unknown) => {
        // Posts come all the same.
        if (isRefusal(error)) return [];
        throw error;
      });
      for (const account of accounts) if (account.length <= longest) found.add(account);
      if (accounts.length > 0) kind ??= service.kind;
    }
  }
  return kind && { kind, accounts: [...found].slice(0, limits.elsewhere.followed) };
}

const longest = limits.elsewhere.address;

/** The name is in the title or in the value, by the year of the export, and in the address always. */
const followedThere = z.object({
  string_list_data: z.array(z.object({ href: z.string() })).min(1),
});

async function readInstagram(zip: Zip, name: string): Promise<string[]> {
  const accounts: string[] = [];
  for await (const { list, item } of zip.items(name)) {
    if (list !== "relationships_following") continue;
    const { data } = followedThere.safeParse(item);
    accounts.push(data?.string_list_data[0]?.href ?? "");
  }
  return accounts.filter((href) => href !== "");
}

/** 7,500 lines are a quarter of it. */
const mostOfTable = 2 * 1024 * 1024;

/** The first column, below its title (app/models/export.rb of mastodon/mastodon). */
async function readMastodon(zip: Zip, name: string): Promise<string[]> {
  const lines = new TextDecoder().decode(await zip.head(name, mostOfTable)).split(/\r?\n/);
  return lines.flatMap((line) => {
    const [, account] = /^@?([^@,\s]+@[^@,\s]+)(?:,|$)/.exec(line) ?? [];
    return account ? [`@${account}`] : [];
  });
}

/** A list of addresses (app/Http/Controllers/Settings/ExportSettings.php of pixelfed/pixelfed). */
async function readPixelfed(zip: Zip, name: string): Promise<string[]> {
  const { data = [] } = z.array(z.unknown()).safeParse(await zip.json(name));
  return data.filter((address) => typeof address === "string");
}
