import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import {
  reachabilityFindings,
  checkReachability,
} from "#server/platform/admin/doctor/reachability.ts";
import { readConfig } from "#server/config.ts";
import { afterFile } from "#server/test/after-file.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";

const { db } = await freshDatabase();
const madeUp = "203.0.113.7";
const here = { PUBLIC_URL: "http://photos.example.org" };
const https = { PUBLIC_URL: "https://photos.example.org" };
const seen = { host: "photos.example.org", connection: "10.0.0.1" };

test.each([
  ["there is no proxy", here, { visitor: "10.0.0.1", forwardedFor: madeUp }, "ok", "straight"],
  [
    "a proxy removes the header",
    here,
    { visitor: "10.0.0.1", forwardedFor: null },
    "problem",
    "doesn't say who asks",
  ],
  [
    "a proxy passes on what visitors write",
    https,
    { visitor: madeUp, forwardedFor: madeUp },
    "problem",
    "as visitors write it",
  ],
  [
    "the proxy is not trusted",
    https,
    { visitor: "10.0.0.1", forwardedFor: `${madeUp}, 198.51.100.9` },
    "problem",
    "Set TRUST_PROXY=10.0.0.1.",
  ],
  [
    "the proxy on the same machine is not trusted",
    { ...https, TRUST_PROXY: "10.0.0.9" },
    { connection: "::ffff:127.0.0.1", visitor: "::ffff:127.0.0.1", forwardedFor: "198.51.100.9" },
    "problem",
    "Add loopback to TRUST_PROXY.",
  ],
  [
    "everybody is trusted",
    { ...https, TRUST_PROXY: "0.0.0.0/0" },
    { visitor: madeUp, forwardedFor: `${madeUp}, 198.51.100.9` },
    "problem",
    "List the proxies alone",
  ],
  [
    "the proxy is trusted, and the doctor asks from its machine",
    { ...https, TRUST_PROXY: "loopback" },
    { connection: "127.0.0.1", visitor: madeUp, forwardedFor: `${madeUp}, 127.0.0.1` },
    "ok",
    "is believed",
  ],
  [
    "the proxy is trusted",
    { ...https, TRUST_PROXY: "10.0.0.1" },
    { visitor: "198.51.100.9", forwardedFor: `${madeUp}, 198.51.100.9` },
    "ok",
    "is believed",
  ],
])("says it when %s", (_when, env, answer, state, words) => {
  const findings = reachabilityFindings(readConfig(env), { ...seen, now: Date.now(), ...answer });
  expect(findings).toEqual([{ about: "Visitors", state, text: expect.stringContaining(words) }]);
});

test("says when the proxy gives another host, or the server's clock differs", () => {
  const answer = { visitor: "198.51.100.9", forwardedFor: "198.51.100.9", connection: "10.0.0.1" };
  const found = reachabilityFindings(readConfig({ ...https, TRUST_PROXY: "10.0.0.1" }), {
    ...answer,
    host: "127.0.0.1:3000",
    now: Date.now() - 90_000,
  });
  expect(found.filter(({ state }) => state === "problem")).toEqual([
    expect.objectContaining({ about: "Proxy", text: expect.stringContaining("127.0.0.1:3000") }),
    expect.objectContaining({ about: "Clock", text: expect.stringContaining("s behind this") }),
  ]);
});

test("a server reports how a request reached it to the doctor only, through a real proxy as well", async () => {
  const { app, features } = await testApp(db, { trustProxy: ["loopback"] });
  await app.listen({ port: 0, host: "127.0.0.1" });
  afterFile(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const pass = features.doctorPass.issue();
  for (const header of ["", "1.x", `${pass}x`, pass.replace(/^\d/, "2")]) {
    const refused = await fetch(`http://127.0.0.1:${port}/health/seen`, {
      headers: { "x-doctor-pass": header },
    });
    expect(refused.status, header).toBe(404);
  }
  const old = features.doctorPass.issue(Date.now() - 2 * 3_600_000);
  expect(features.doctorPass.accepts(old)).toBe(false);

  const front = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, "x-forwarded-for": `${madeUp}, 198.51.100.9` };
    const passedOn = request({ port, path: incoming.url, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers);
      got.pipe(answer);
    });
    incoming.pipe(passedOn);
  });
  await new Promise<void>((resolve) => {
    front.listen(0, "127.0.0.1", resolve);
  });
  afterFile(() => front.close());
  const publicUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  const config = readConfig({ PUBLIC_URL: publicUrl, PORT: String(port), TRUST_PROXY: "loopback" });
  expect(await checkReachability(config, pass)).toEqual([
    { state: "ok", about: "Server", text: `It answers at ${publicUrl}.` },
    { state: "ok", about: "Visitors", text: "The proxy says who asks, and is believed." },
  ]);

  front.closeAllConnections();
  await new Promise((resolve) => {
    front.close(resolve);
  });
  const [lost] = await checkReachability(config, pass);
  expect(lost).toMatchObject({ state: "problem", about: "Server" });
  expect(lost?.text).toContain(`It answers at http://127.0.0.1:${port}, but not at ${publicUrl}`);
  const [none] = await checkReachability({ ...config, port: 9 }, pass);
  expect(none).toMatchObject({
    state: "note",
    text: expect.stringContaining("Is Postcard running?"),
  });
});
