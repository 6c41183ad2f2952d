import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { withPort, readConfig } from "#server/config.ts";

const s3 = "s3://bucket?endpoint=https://s3";
const onS3 = { IMAGE_STORE: s3, S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "hunter2" };

describe("without any setting", () => {
  test("Postcard is reachable from this machine only, and runs its own PostgreSQL", () => {
    expect(readConfig({})).toEqual({
      nodeEnv: "production",
      port: 3000,
      metricsPort: null,
      host: "127.0.0.1",
      publicUrl: "http://localhost:3000",
      origins: ["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"],
      processes: Math.min(8, Math.max(1, Math.floor(availableParallelism() / 2))),
      dataDir: resolve("data"),
      secretsFile: resolve("data/secrets.json"),
      databaseUrl: null,
      databaseDirectUrl: null,
      databaseReadUrl: null,
      corsOrigins: [],
      languages: ["en"],
      backupDir: null,
      backupBucket: null,
      backupAt: 210,
      imageStore: { kind: "disk" },
      imageStoreFrom: null,
      imageBaseUrl: null,
      smtpUrl: null,
      mailFrom: { name: "", address: "postcard@localhost" },
      logLevel: "info",
      rateLimits: true,
      trustProxy: [],
      providers: [],
    });
  });

  test("an empty value counts as not set", () => {
    const empty = { PORT: "", PUBLIC_URL: " ", DATABASE_URL: "", SMTP_URL: "", LOG_LEVEL: "" };
    expect(readConfig(empty)).toEqual(readConfig({}));
  });
});

describe("the address", () => {
  test("is the only origin when it is set, in the form browsers send", () => {
    const config = readConfig({ PUBLIC_URL: "https://Photos.Example.org:443/" });
    expect(config.publicUrl).toBe("https://photos.example.org");
    expect(config.origins).toEqual(["https://photos.example.org"]);
  });

  test("follows a port that the system chose, unless it is set", () => {
    const chosen = withPort(readConfig({ PORT: "0" }), 4711);
    expect(chosen.port).toBe(4711);
    expect(chosen.publicUrl).toBe("http://localhost:4711");
    expect(chosen.origins).toContain("http://127.0.0.1:4711");
    const set = withPort(readConfig({ PORT: "0", PUBLIC_URL: "https://a.example" }), 4711);
    expect(set.origins).toEqual(["https://a.example"]);
  });
});

describe("the languages of the screens", () => {
  test("are those of LANGUAGES, once each, the first before the others", () => {
    expect(readConfig({ LANGUAGES: "de, en,de" }).languages).toEqual(["de", "en"]);
  });

  test.each(["xx", "en,xx", "DE", "../messages", ","])(
    "are refused with a sentence where there is no such: %s",
    (wanted) => {
      expect(() => readConfig({ LANGUAGES: wanted })).toThrow(
        `LANGUAGES is "${wanted}", but must be languages separated by commas, of en, ar, de, fr, en-XA.`,
      );
    },
  );
});

describe("processes", () => {
  test("are as many as PROCESSES says, from 1 to 64", () => {
    expect(readConfig({ PROCESSES: "64" }).processes).toBe(64);
    for (const count of ["0", "65", "2.5", "-1", "all"]) {
      expect(() => readConfig({ PROCESSES: count })).toThrow(
        `PROCESSES is "${count}", but must be a whole number from 1 to 64.`,
      );
    }
  });

  test("are one in development, and in tests without PROCESSES", () => {
    expect(readConfig({ NODE_ENV: "development", PROCESSES: "4" }).processes).toBe(1);
    expect(readConfig({ NODE_ENV: "test" }).processes).toBe(1);
  });
});

describe("images", () => {
  test("are in a bucket or a folder of it, or are moved from one store to another", () => {
    const { imageStore, imageStoreFrom } = readConfig({
      ...onS3,
      IMAGE_STORE: "s3://our.town-1/photos/2026/?endpoint=https://S3.example.org/&region=auto",
      IMAGE_STORE_FROM: s3,
      S3_FROM_ACCESS_KEY_ID: "old",
      S3_FROM_SECRET_ACCESS_KEY: "older",
    });
    expect(imageStore).toEqual({
      kind: "s3",
      endpoint: "https://S3.example.org",
      bucket: "our.town-1",
      prefix: "photos/2026/",
      region: "auto",
      accessKeyId: "key",
      secretAccessKey: "hunter2",
    });
    expect(imageStoreFrom).toEqual({
      kind: "s3",
      endpoint: "https://s3",
      bucket: "bucket",
      prefix: "",
      region: "us-east-1",
      accessKeyId: "old",
      secretAccessKey: "older",
    });
    expect(readConfig({ ...onS3, IMAGE_STORE_FROM: "disk" }).imageStoreFrom).toEqual({
      kind: "disk",
    });
  });

  test("may have an address of their own, used without a slash at its end", () => {
    const url = "https://cdn.example.org/town/";
    expect(readConfig({ IMAGE_BASE_URL: url }).imageBaseUrl).toBe("https://cdn.example.org/town");
  });
});

describe("mail", () => {
  test("goes to the server of SMTP_URL", () => {
    const smtpUrl = "smtps://ada:hunter2@mail.example.org:465?requireTLS=true";
    expect(readConfig({ SMTP_URL: smtpUrl }).smtpUrl).toBe(smtpUrl);
  });

  test.each([
    [{ PUBLIC_URL: "https://photos.example.org" }, "postcard@photos.example.org"],
    [{ PUBLIC_URL: "http://192.0.2.7:3000" }, "postcard@[192.0.2.7]"],
    [{ PUBLIC_URL: "http://[2001:db8::1]" }, "postcard@[IPv6:2001:db8::1]"],
  ])("comes from the host of %o unless MAIL_FROM says otherwise", (env, address) => {
    expect(readConfig(env).mailFrom).toEqual({ name: "", address });
  });

  test.each([
    ["photos@example.org", { name: "", address: "photos@example.org" }],
    ["Our Town <photos@example.org>", { name: "Our Town", address: "photos@example.org" }],
    ['"Town, our" <photos@example.org>', { name: "Town, our", address: "photos@example.org" }],
    ["עיר <photos@example.org>", { name: "עיר", address: "photos@example.org" }],
  ])("comes from %s", (text, mailFrom) => {
    expect(readConfig({ MAIL_FROM: text }).mailFrom).toEqual(mailFrom);
  });
});

test("proxies are trusted by address, range or the word loopback", () => {
  const config = readConfig({ TRUST_PROXY: "loopback, 10.0.0.0/8,fd00::/8 ,192.0.2.1" });
  expect(config.trustProxy).toEqual(["loopback", "10.0.0.0/8", "fd00::/8", "192.0.2.1"]);
});

describe("a wrong value prevents the start with one sentence", () => {
  const local = "127.0.0.1";
  test.each([
    [{ PORT: "80a" }, 'PORT is "80a", but must be a whole number from 0 to 65535.'],
    [{ PORT: "65536" }, 'PORT is "65536", but must be a whole number from 0 to 65535.'],
    [{ PORT: "-1" }, 'PORT is "-1", but must be'],
    [{ HOST: "[::1]" }, 'HOST is "[::1]", but must be an IP address or a host name'],
    [{ HOST: "300.1.1.1" }, 'HOST is "300.1.1.1", but must be'],
    [
      { PUBLIC_URL: "photos.example.org" },
      'PUBLIC_URL is "photos.example.org", but must be an http',
    ],
    [{ PUBLIC_URL: "https://a.example/blog" }, 'PUBLIC_URL is "https://a.example/blog", but must'],
    [{ PUBLIC_URL: "https://a.example/?x" }, "PUBLIC_URL is"],
    [{ PUBLIC_URL: "ftp://a.example" }, "PUBLIC_URL is"],
    [{ DATABASE_URL: "mysql://ada:hunter2@db/x" }, "DATABASE_URL is set to something else, but"],
    [{ IMAGE_STORE: "imgbb" }, "IMAGE_STORE is imgbb, but IMGBB_KEY is empty"],
    [{ IMAGE_STORE: "imgbb", IMGBB_KEY: "a secret key!" }, "IMGBB_KEY is set to something else"],
    [{ IMAGE_STORE: "s3://ada:hunter2@bucket" }, "IMAGE_STORE must not hold keys: set S3_ACCESS"],
    [
      { IMAGE_STORE: "tape" },
      'IMAGE_STORE is "tape", but must be disk, imgbb or s3://bucket?endpoint=',
    ],
    [{ IMAGE_STORE: "s3://" }, "IMAGE_STORE needs the name of a bucket"],
    [
      { IMAGE_STORE: "s3://UPPER?endpoint=https://s3.example.org" },
      "IMAGE_STORE needs the name of",
    ],
    [{ IMAGE_STORE: "s3://bucket" }, "IMAGE_STORE needs an http or https endpoint, such as s3://"],
    [{ IMAGE_STORE: "s3://bucket?endpoint=s3.example.org" }, "IMAGE_STORE needs an http or https"],
    [{ IMAGE_STORE: "s3://bucket?endpoint=https://a:hunter2@s3" }, "IMAGE_STORE needs an http or"],
    [{ IMAGE_STORE: "s3://bucket/.x?endpoint=https://s3" }, "IMAGE_STORE has a folder with other"],
    [{ IMAGE_STORE: "s3://bucket/a b?endpoint=https://s3" }, "IMAGE_STORE has a folder with other"],
    [{ IMAGE_STORE: "s3://bucket?endpont=https://s3" }, "IMAGE_STORE may say endpoint and region"],
    [{ IMAGE_STORE: "s3://bucket?endpoint=https://s3&region=a b" }, "IMAGE_STORE needs a region"],
    [
      { IMAGE_STORE: "s3://bucket?endpoint=https://s3" },
      "IMAGE_STORE is an S3 address, but S3_ACC",
    ],
    [
      { IMAGE_STORE: s3, S3_ACCESS_KEY_ID: "key", S3_SECRET_ACCESS_KEY: "hunter2 \n x" },
      "S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY has a character that no key has",
    ],
    [{ IMAGE_STORE_FROM: "disk" }, "IMAGE_STORE_FROM is disk and IMAGE_STORE is disk, but one of"],
    [
      { ...onS3, IMAGE_STORE_FROM: "s3://bucket/old?endpoint=https://s3" },
      "IMAGE_STORE_FROM and IM",
    ],
    [{ ...onS3, IMAGE_STORE_FROM: "imgbb" }, "IMAGE_STORE_FROM is imgbb, but IMGBB_KEY is empty"],
    [{ ...onS3, IMAGE_STORE_FROM: "s3://b" }, "IMAGE_STORE_FROM needs the name of a bucket"],
    [
      { ...onS3, IMAGE_STORE_FROM: "s3://other?endpoint=https://s3", S3_FROM_ACCESS_KEY_ID: "x" },
      "IMAGE_STORE_FROM is an S3 address, but S3_FROM_ACCESS_KEY_ID or S3_FROM_SECRET",
    ],
    [{ IMAGE_BASE_URL: "cdn.example.org" }, 'IMAGE_BASE_URL is "cdn.example.org", but must be an'],
    [{ IMAGE_BASE_URL: "https://cdn.example.org/?x" }, "IMAGE_BASE_URL is"],
    [
      { IMAGE_BASE_URL: "http://cdn.example.org", PUBLIC_URL: "https://a.example" },
      'IMAGE_BASE_URL is "http://cdn.example.org", but must be https as PUBLIC_URL is.',
    ],
    [{ SMTP_URL: "http://ada:hunter2@mail" }, "SMTP_URL is set to something else, but must be"],
    [{ SMTP_URL: "smtp://" }, "SMTP_URL is set to something else, but must be empty or a mail"],
    [{ SMTP_URL: "smtps://ada:hunter2@mail/inbox" }, "SMTP_URL is set to something else, but"],
    [{ MAIL_FROM: "Postcard" }, 'MAIL_FROM is "Postcard", but must be an email address, such as'],
    [{ MAIL_FROM: "a@b.example, c@d.example" }, "MAIL_FROM is"],
    [{ MAIL_FROM: "A\r\nBcc: b <a@b.example>" }, 'MAIL_FROM is "A\\r\\nBcc: b <a@b.example>", but'],
    [
      { BACKUP_AT: "24:00" },
      'BACKUP_AT is "24:00", but must be a time of day from 00:00 to 23:59.',
    ],
    [
      { DATA_DIR: "/srv/data", BACKUP_DIR: "/srv/data/backups" },
      "BACKUP_DIR is /srv/data/backups, but must not lie in DATA_DIR.",
    ],
    [
      { BACKUP_DIR: "s3://bucket/backups?endpoint=https://s3.example.org" },
      "BACKUP_DIR is an S3 address, but S3_ACCESS_KEY_ID or S3_SECRET_ACCESS_KEY is empty: set both",
    ],
    [
      {
        IMAGE_STORE: "s3://bucket?endpoint=https://s3.example.org",
        BACKUP_DIR: "s3://bucket/backups?endpoint=https://s3.example.org",
        S3_ACCESS_KEY_ID: "key",
        S3_SECRET_ACCESS_KEY: "hunter2",
      },
      "BACKUP_DIR and IMAGE_STORE lie in each other, but must be different buckets or folders.",
    ],
    [{ LOG_LEVEL: "loud" }, 'LOG_LEVEL is "loud", but must be one of fatal, error, warn, info,'],
    [{ RATE_LIMITS: "maybe" }, 'RATE_LIMITS is "maybe", but must be on or off.'],
    [{ RATE_LIMITS: "off", HOST: "0.0.0.0" }, "RATE_LIMITS is off, but that is allowed only while"],
    [{ TRUST_PROXY: "everyone" }, 'TRUST_PROXY is "everyone", but must be empty, loopback, or IP'],
    [{ TRUST_PROXY: "10.0.0.0/33" }, "TRUST_PROXY is"],
    [
      { NODE_ENV: "staging" },
      'NODE_ENV is "staging", but must be production, development or test.',
    ],
  ])("%o", (env, sentence) => {
    let message = "";
    try {
      readConfig({ HOST: local, ...env });
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.slice(0, sentence.length)).toBe(sentence);
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(message).not.toContain("hunter2");
  });
});

test("limits may be off on this machine only, and anywhere in tests", () => {
  expect(readConfig({ RATE_LIMITS: "off" }).rateLimits).toBe(false);
  const inTests = readConfig({ RATE_LIMITS: "off", HOST: "0.0.0.0", NODE_ENV: "test" });
  expect(inTests.rateLimits).toBe(false);
});
