import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { boundConnections, connectionsFor } from "#server/http/connections.ts";
import { until } from "#server/test/until.ts";

test("clients beyond the limit of files are refused, and let in once others have left", async () => {
  const open = new Set<object>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => open.delete(socket));
    socket.write("welcome");
  });
  const warned: unknown[] = [];
  boundConnections(server, { warn: (...words: unknown[]) => warned.push(words) }, 2);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const visit = async () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    const greeted = once(socket, "data").then(() => true);
    const refused = once(socket, "close").then(() => false);
    return { socket, welcome: await Promise.race([greeted, refused]) };
  };
  const first = await visit();
  const second = await visit();
  expect([first.welcome, second.welcome]).toEqual([true, true]);
  const beyond = [await visit(), await visit()];
  expect(beyond.map(({ welcome }) => welcome)).toEqual([false, false]);
  expect(warned).toHaveLength(1);
  first.socket.destroy();
  await until(() => open.size === 1);
  expect((await visit().then((third) => (third.socket.destroy(), third))).welcome).toBe(true);
  second.socket.destroy();
  server.close();
});

test("a small limit of files leaves room for the database and for images", () => {
  expect(connectionsFor(1024)).toBe(554);
  expect(connectionsFor(256)).toBe(93);
  expect(connectionsFor(64)).toBe(10);
});
