import { createServer } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { startProgram, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, postmasterOf, signUp, startServer } from "#server/test/running-server.ts";

/** Long enough for a busy machine to show a change, milliseconds. */
const patienceMs = 60_000;

/** For --import: prints the files of React that a process has loaded, when it ends. */
const sayWhichReact = `data:text/javascript,${encodeURIComponent(`
  import { createRequire } from "node:module";
  const { cache } = createRequire("${import.meta.url}");
  const files = () => Object.keys(cache).filter((file) => cache[file].loaded);
  process.on("exit", () => console.log(files().filter((file) => /react/.test(file)).join()));
`)}`;

describe("the server", () => {
  test("says when it is ready, is, and leaves nothing running behind", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir, { NODE_OPTIONS: `--import ${sayWhichReact}` });
    const address = await addressOf(server);
    expect((await fetch(`${address}/signIn`)).status).toBe(200);
    const health = await fetch(`${address}/health/ready`);
    expect(health.status).toBe(200);
    expect(postmasterOf(dataDir)).not.toBeNull();
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(postmasterOf(dataDir)).toBeNull();
    expect(server.said()).toContain("react-dom-server.node.production.js");
    expect(server.said()).not.toMatch(/react[\w.-]*development/);
    expect(server.said()).not.toMatch(/ExperimentalWarning|DeprecationWarning/);
  });

  test("logs a link for the first operator, a new one at each start until it was used", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const starts = async (visit: (address: string, path: string) => Promise<void>) => {
      const server = startServer(dataDir, { LOG_LEVEL: "warn" });
      const address = await addressOf(server);
      await server.until(/nobody is an operator yet/);
      const paths = server.said().match(/\/operator\/first\/[\w-]{43}(?=")/g) ?? [];
      expect(paths).toHaveLength(1);
      await visit(address, paths[0] ?? "");
      server.child.kill("SIGTERM");
      expect(await server.ended).toBe(0);
      return paths[0] ?? "";
    };
    const first = await starts(async (address, path) => {
      expect((await fetch(address + path)).status).toBe(401);
    });
    let cookie = "";
    await starts(async (address, path) => {
      expect((await fetch(address + first)).status, "the one before").not.toBe(401);
      cookie = await signUp(address, "opal@example.org");
      // A form without fields, as a browser sends it.
      const body = new URLSearchParams();
      const headers = { cookie, origin: address };
      const taken = { method: "POST", headers, body, redirect: "manual" };
      const answer = await fetch(address + path, taken as RequestInit);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, "/operator"]);
    });
    const last = startServer(dataDir, { LOG_LEVEL: "warn" });
    const address = await addressOf(last);
    expect((await fetch(`${address}/operator`, { headers: { cookie } })).status).toBe(200);
    expect(last.said()).not.toContain("/operator/first/");
    last.child.kill("SIGTERM");
    expect(await last.ended).toBe(0);
  });

  test("logs nothing alarming while it stops, whether PostgreSQL is stopped with it or not", async () => {
    for (const both of [false, true]) {
      const dataDir = join(temporaryFolder(), "data");
      const server = startServer(dataDir);
      const address = await addressOf(server);
      // Several idle connections.
      await Promise.all(Array.from({ length: 6 }, () => fetch(`${address}/health/ready`)));
      const postmaster = postmasterOf(dataDir);
      server.child.kill("SIGTERM");
      if (both && postmaster) process.kill(postmaster, "SIGINT");
      expect(await server.ended).toBe(0);
      const [, after = ""] = server.said().split('"msg":"stopping"}');
      expect(after.trim()).toBe("");
      expect(server.complained()).toBe("");
    }
  });

  test("finishes requests before it ends", async () => {
    const server = startServer(join(temporaryFolder(), "data"));
    const upload = slowUpload(await addressOf(server));
    await upload.begun;
    server.child.kill("SIGTERM");
    await server.until(/"signal":"SIGTERM"/);
    await sleep(300);
    upload.finish();
    expect(await upload.answer).toMatch(/^HTTP\/1\.1 \d{3} /);
    expect(await server.ended).toBe(0);
  });

  test("does not wait for a client that never finishes", async () => {
    const server = startServer(join(temporaryFolder(), "data"));
    await slowUpload(await addressOf(server)).begun;
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("survives more connections than it may open files", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const limited = ["sh", "-c", 'ulimit -n 220; exec "$0" server/main.ts', process.execPath];
    const server = startServer(dataDir, {}, limited);
    const address = await addressOf(server);
    const postmaster = postmasterOf(dataDir);
    const sockets = Array.from({ length: 300 }, () => {
      return connect(Number(new URL(address).port), "localhost").on("error", () => undefined);
    });
    const closed = sockets.map((socket) => new Promise((resolve) => socket.on("close", resolve)));
    // Refused at once, without other consequences.
    await Promise.any(closed);
    await server.until(/refused connections/);
    // Long enough for several checks of PostgreSQL.
    await sleep(1000);
    for (const socket of sockets) socket.destroy();
    await Promise.all(closed);
    // The server hears of it a moment later, and refuses connections until then.
    expect(await within(patienceMs, () => answers(`${address}/health/ready`))).toBe(true);
    const ready = await fetch(`${address}/health/ready`);
    expect([ready.status, postmasterOf(dataDir)]).toEqual([200, postmaster]);
    expect(server.said()).not.toContain("PostgreSQL died");
    server.child.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  });

  test("is not disturbed by a second one for the same data", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const first = startServer(dataDir);
    const address = await addressOf(first);
    const second = startServer(dataDir);
    expect(await second.ended).toBe(1);
    expect(second.complained()).toBe(
      `DATA_DIR is ${dataDir}, but another Postcard is using that folder already.\n`,
    );
    expect((await fetch(`${address}/health/ready`)).status).toBe(200);
  });

  test("stops cleanly when its supervisor was killed", async () => {
    const dataDir = join(temporaryFolder(), "data");
    const start = startServer(dataDir, {}, [process.execPath, "scripts/start.mjs"]);
    const address = await addressOf(start);
    start.child.kill("SIGKILL");
    await start.until(/the supervisor is gone/);
    expect(await within(patienceMs, async () => !(await answers(address)))).toBe(true);
    expect(await within(patienceMs, async () => postmasterOf(dataDir) === null)).toBe(true);
  });
});

describe("a start that cannot succeed says why in one sentence and ends with code 1", () => {
  test("with a wrong value", async () => {
    const server = startServer(join(temporaryFolder(), "data"), { LOG_LEVEL: "loud" });
    expect(await server.ended).toBe(1);
    expect(server.said()).toMatch(/^LOG_LEVEL is "loud", but must be one of [^\n]+\.\n$/);
  });

  test("with a port in use, and PostgreSQL stops as well", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => {
      other.once("listening", resolve);
    });
    const { port } = other.address() as { port: number };
    const dataDir = join(temporaryFolder(), "data");
    const server = startServer(dataDir, { PORT: String(port), LOG_LEVEL: "fatal" });
    expect(await server.ended).toBe(1);
    expect(server.complained()).toBe(`PORT is ${port}, but something else uses it already.\n`);
    expect(postmasterOf(dataDir)).toBeNull();
    other.close();
  });

  test("with a database that is not there, without showing its password", async () => {
    const server = startServer(join(temporaryFolder(), "data"), {
      DATABASE_URL: "postgres://ada:hunter2@127.0.0.1:1/postcard",
    });
    expect(await server.ended).toBe(1);
    expect(server.complained()).toMatch(
      /^PostgreSQL cannot be reached: [^\n]+ECONNREFUSED[^\n]+\.\n$/,
    );
    expect(server.said()).not.toContain("hunter2");
  });
});

describe("a service", () => {
  test("ends for a restart after an uncaught error", async () => {
    const run = service("setTimeout(() => { throw new TypeError('odd'); }, 50); return 'here'");
    expect(await run.ended).toBe(1);
    expect(run.said()).toContain("Postcard is ready at here\n");
    expect(run.said()).toMatch(/"level":60.*odd/);
  });

  test("that is asked to stop while it starts undoes what it did", async () => {
    const run = service(`
      onStop("one", () => console.log("undone one"));
      onStop("two", () => console.log("undone two"));
      console.log("halfway");
      await new Promise((resolve) => setTimeout(resolve, 700));
      onStop("three", () => console.log("undone three"));
      console.log("further");
      return "here";
    `);
    await run.until(/halfway/);
    run.child.kill("SIGTERM");
    expect(await run.ended).toBe(0);
    expect(run.said()).toContain("undone three\nundone two\nundone one\n");
    expect(run.said()).not.toMatch(/further|ready/);
  });
});

function service(start: string) {
  const program = `
    import { runService } from "#server/platform/lifecycle.ts";
    import { createLog } from "#server/platform/log.ts";
    await runService({ log: createLog("info"), start: async ({ onStop }) => { ${start} } });
  `;
  return startProgram([process.execPath, "--input-type=module", "-e", program]);
}

/** Sends a form whose second half waits for `finish`. */
function slowUpload(address: string) {
  const { hostname, port } = new URL(address);
  const body = "email=ada%40example.org&password=wrong";
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(
    `POST /signIn HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n` +
      "Content-Type: application/x-www-form-urlencoded\r\n" +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
  );
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk) => (text += String(chunk)));
    socket.on("close", () => resolve(text));
  });
  // Long enough for the server to have begun the request.
  const begun = sleep(500);
  return { begun, answer, finish: () => socket.write(body.slice(10)) };
}

async function answers(address: string): Promise<boolean> {
  return fetch(address).then(
    () => true,
    () => false,
  );
}

async function within(milliseconds: number, happened: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if (await happened()) return true;
    await sleep(100);
  }
  return false;
}
