import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { sendLoad } from "./load.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe("the load generator", () => {
  test("charges a stall to every request that was due while it lasted", async () => {
    // The first answer takes 600 ms and the only connection is busy with it. The others are fast, but due at
    // 10, 20, … ms: half of them wait longer than 300 ms, whatever the machine does.
    let first = true;
    const url = await serve((_request, response) => {
      if (!first) return void response.end("quick");
      first = false;
      setTimeout(() => response.end("slow"), 600);
    });
    const result = await sendLoad({ url, rate: 100, count: 50, connections: 1 });
    expect(result).toMatchObject({ answered: 50, failed: 0 });
    expect(result.p50).toBeGreaterThan(300);
    expect(result.max).toBeGreaterThanOrEqual(590);
  });

  test("sends no more than asked for and counts what is not a 200 as failed", async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.statusCode = asked <= 3 ? 500 : 200;
      response.end();
    });
    expect(await sendLoad({ url, rate: 500, count: 20 })).toMatchObject({
      answered: 17,
      failed: 3,
    });
    expect(asked).toBe(20);
  });

  test("gives up on a server that never answers", async () => {
    const url = await serve(() => undefined);
    const result = await sendLoad({ url, rate: 500, count: 5, patience: 200 });
    expect(result).toMatchObject({ answered: 0, failed: 5 });
  });

  test.each(["http://example.org/", "http://192.0.2.1/", "http://127.0.0.1.example.org/"])(
    "sends nothing to %s",
    async (url) => {
      await expect(sendLoad({ url, rate: 1, count: 1 })).rejects.toThrow("this machine only");
    },
  );
});
