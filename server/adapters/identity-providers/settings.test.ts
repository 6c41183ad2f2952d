import { describe, expect, test } from "vitest";
import { readProviders } from "#server/adapters/identity-providers/settings.ts";

const client = (prefix: string) => ({
  [`${prefix}_CLIENT_ID`]: "our-id",
  [`${prefix}_CLIENT_SECRET`]: "our-secret",
});
const ours = { clientId: "our-id", clientSecret: "our-secret" };

describe("sign-in providers", () => {
  test("are none without variables", () => {
    expect(readProviders({ PORT: "3000" })).toEqual([]);
  });

  test("are Google, GitHub and any number of others, in this order", () => {
    const given = {
      ...client("OIDC_TOWN_HALL"),
      OIDC_TOWN_HALL_ISSUER: "https://id.town.example/realms/all/",
      ...client("OIDC_CLUB"),
      OIDC_CLUB_ISSUER: "http://127.0.0.1:8080",
      OIDC_CLUB_LABEL: "The rowing club",
      ...client("GITHUB"),
      ...client("GOOGLE"),
    };
    expect(readProviders(given)).toEqual([
      {
        kind: "oidc",
        name: "google",
        label: "Google",
        issuer: "https://accounts.google.com",
        ...ours,
      },
      { kind: "github", name: "github", label: "GitHub", issuer: "https://github.com", ...ours },
      {
        kind: "oidc",
        name: "club",
        label: "The rowing club",
        issuer: "http://127.0.0.1:8080",
        ...ours,
      },
      {
        kind: "oidc",
        name: "town-hall",
        label: "Town Hall",
        issuer: "https://id.town.example/realms/all/",
        ...ours,
      },
    ]);
  });

  test("may be a GitHub Enterprise Server", () => {
    const given = { ...client("GITHUB"), GITHUB_URL: "https://github.example.org/" };
    expect(readProviders(given)[0]).toMatchObject({ issuer: "https://github.example.org" });
  });

  const town = { ...client("OIDC_TOWN"), OIDC_TOWN_ISSUER: "https://id.town.example" };
  test.each([
    [{ GOOGLE_CLIENT_ID: "x" }, "GOOGLE_CLIENT_SECRET is empty, but must be set"],
    [{ GITHUB_CLIENT_SECRET: "x" }, "GITHUB_CLIENT_ID is empty, but must be set"],
    [{ GITHUB_URL: "https://g.example" }, "GITHUB_CLIENT_ID is empty"],
    [{ OIDC_TOWN_LABEL: "Town" }, "OIDC_TOWN_CLIENT_ID is empty"],
    [client("OIDC_TOWN"), "OIDC_TOWN_ISSUER is empty"],
    [{ OIDC_ISSUER: "https://x.example" }, "OIDC_ISSUER is set, but is no variable of a provider"],
    [{ OIDC_TOWN_SCOPE: "x" }, "OIDC_TOWN_SCOPE is set, but is no variable of a provider"],
    [client("OIDC_GOOGLE"), "OIDC_GOOGLE_… is set, but google has variables of its own"],
    [{ ...town, OIDC_TOWN_ISSUER: "id.town.example" }, 'OIDC_TOWN_ISSUER is "id.town.example"'],
    [{ ...town, OIDC_TOWN_ISSUER: "http://id.town.example" }, "must be an https address"],
    [{ ...town, OIDC_TOWN_ISSUER: "https://id.town.example/?a=b" }, "without a query"],
    [{ ...town, OIDC_TOWN_ISSUER: "https://me:secret@id.example" }, '"https://…@id.example"'],
    ...["common/v2.0", "organizations/v2.0", "{tenantid}/v2.0"].map(
      (path): [Record<string, string>, string] => [
        { ...town, OIDC_TOWN_ISSUER: `https://login.microsoftonline.com/${path}` },
        "name a single tenant, https://login.microsoftonline.com/TENANT-ID/v2.0",
      ],
    ),
    [{ ...town, OIDC_TOWN_LABEL: "x".repeat(41) }, "OIDC_TOWN_LABEL has 41 characters"],
  ])("that are described wrongly stop the start: %j", (given, sentence) => {
    expect(() => readProviders(given)).toThrow(sentence);
  });

  test("may be one tenant of Microsoft's", () => {
    const issuer = "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0";
    expect(readProviders({ ...town, OIDC_TOWN_ISSUER: issuer })).toMatchObject([{ issuer }]);
  });

  test("never have their secrets in an error", () => {
    const given = { ...town, OIDC_TOWN_ISSUER: "nowhere" };
    expect(() => readProviders(given)).toThrow(/^(?!.*our-secret)/);
  });
});
