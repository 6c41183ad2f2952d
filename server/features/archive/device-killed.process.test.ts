import { expect, test } from "vitest";
import { freshDatabase, urlOf } from "#server/test/database.ts";
import { deviceOf } from "#server/test/device-imports.ts";
import { scene } from "#server/test/images.ts";
import { temporaryFolder } from "#server/test/processes.ts";
import { query } from "#server/test/query.ts";
import { addressOf, signUp, startServer } from "#server/test/running-server.ts";
import { reconcileCounters } from "#server/features/counters.queries.ts";
import type { Viewer } from "#shared/views.ts";

const posts = 4;

test(
  "an import from a device goes on after a server that was killed, wherever that was, and brings everything once",
  { timeout: 300_000 },
  async () => {
    const { db, connection } = await freshDatabase();
    const folder = temporaryFolder();
    const photo = await (await scene(48, 32)).jpeg().toBuffer();
    let server = startServer(folder, { DATABASE_URL: urlOf(connection) });
    let address = await addressOf(server);
    const cookie = await signUp(address, "ada@example.org");
    const [ada] = await query<Viewer>(db, "select id from accounts");

    type Asked = { headers?: Record<string, string>; payload?: Buffer | object };
    async function call(_: unknown, method: string, path: string, asked: Asked = {}) {
      const { headers = {}, payload } = asked;
      const isJson = payload !== undefined && !Buffer.isBuffer(payload);
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: {
          cookie,
          origin: address,
          ...(isJson && { "content-type": "application/json" }),
          ...headers,
        },
        ...(payload && { body: isJson ? JSON.stringify(payload) : new Uint8Array(payload) }),
      });
      const text = await answer.text();
      return {
        statusCode: answer.status,
        headers: Object.fromEntries(answer.headers),
        json: () => JSON.parse(text) as object,
      };
    }
    const device = deviceOf({ call: call as never }, ada!, photo);

    async function bring(): Promise<void> {
      const keys = Array.from({ length: posts }, (_, nth) => nth + 1);
      const known = new Set(await device.known(keys));
      const id = await device.begin({ posts: posts - known.size });
      for (const key of keys.filter((each) => !known.has(each))) {
        const pictures = [{ imageId: await device.send(id) }];
        expect(await device.post(id, { key, time: Date.UTC(2015, 1, key), pictures })).toBe(
          "taken",
        );
      }
      expect(await device.end(id, {})).toBe("done");
    }

    const made = () => query(db, "select id from posts where import_id is not null");
    for (const waited of [40, 150, 400]) {
      const running = bring().then(
        () => "done",
        () => "cut",
      );
      await new Promise((resolve) => {
        setTimeout(resolve, waited);
      });
      server.child.kill("SIGKILL");
      await server.ended;
      await running;
      server = startServer(folder, { DATABASE_URL: urlOf(connection) });
      address = await addressOf(server);
      expect(await reconcileCounters(db)).toEqual([]);
    }
    await bring();
    expect(await made()).toHaveLength(posts);
    const open = "select id from imports where state = 'waiting'";
    expect(await query(db, open)).toEqual([]);
    const unused = "select id from images where claimed_at is null";
    expect(await query(db, unused)).toEqual([]);
    expect(await reconcileCounters(db)).toEqual([]);
  },
);
