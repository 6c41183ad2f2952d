import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type pg from "pg";
import { afterFile } from "#server/test/after-file.ts";

/** A way to a PostgreSQL over TCP that can lose its flows without a word, as a firewall does. */
export async function networkTo(connection: pg.PoolConfig) {
  const { host = "", port = 5432 } = connection;
  const flows = new Set<[Socket, Socket]>();
  const server = createServer((near) => {
    const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    const flow: [Socket, Socket] = [near, far];
    flows.add(flow);
    for (const socket of flow) {
      socket.on("error", () => undefined);
      socket.on("close", () => {
        if (!flows.has(flow)) return;
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const kept: Socket[] = [];

  /** Nothing gets through the connections of now any more, and nobody is told. */
  function loseInSilence(): number {
    const lost = [...flows];
    for (const flow of lost) {
      flows.delete(flow);
      for (const socket of flow) {
        socket.unpipe();
        socket.resume();
        kept.push(socket);
      }
    }
    return lost.length;
  }

  afterFile(() => {
    for (const socket of [...kept, ...[...flows].flat()]) socket.destroy();
    server.close();
  });
  const { port: here } = server.address() as AddressInfo;
  return { connection: { ...connection, host: "127.0.0.1", port: here }, loseInSilence };
}

/** A server at a port that accepts and closes, as a proxy does that has nothing behind it. */
export async function closedDoor(): Promise<pg.PoolConfig> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => socket.end());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterFile(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { host: "127.0.0.1", port, user: "postcard", password: "", database: "postcard" };
}
