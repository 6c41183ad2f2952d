import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Transform } from "node:stream";
import type pg from "pg";
import { afterFile } from "#server/test/after-file.ts";

/**
 * A TCP proxy to PostgreSQL that can become slow, be cut, or lose its connections silently, as a firewall
 * does.
 */
export async function startFaultyProxy(connection: pg.PoolConfig) {
  const { host = "", port = 5432 } = connection;
  const flows = new Set<[Socket, Socket]>();
  const kept: Socket[] = [];
  /** What happens to new connections, and how long each chunk is delayed, milliseconds. */
  const state = { opens: "through" as "through" | "nowhere" | "refused", delay: 0 };
  let tried = 0;
  const server = createServer((near) => {
    tried += 1;
    near.on("error", () => undefined);
    if (state.opens === "refused") return void near.destroy();
    if (state.opens === "nowhere") {
      near.resume();
      return void kept.push(near);
    }
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
    near.pipe(slowed(state)).pipe(far).pipe(slowed(state)).pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");

  /** Nothing gets through existing connections any more, and neither side notices. */
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

  /** Refuses new connections; existing ones stay. */
  function refuse(): void {
    state.opens = "refused";
  }

  /** Ends every connection, and refuses new ones. */
  function cut(): void {
    refuse();
    for (const [near, far] of flows) {
      near.destroy();
      far.destroy();
    }
  }

  /** Nothing gets through existing and new connections. */
  function blackHole(): void {
    state.opens = "nowhere";
    loseInSilence();
  }

  /** New connections get through again, without delay; lost ones stay lost. */
  function restore(): void {
    state.opens = "through";
    state.delay = 0;
  }

  afterFile(() => {
    for (const socket of [...kept, ...[...flows].flat()]) socket.destroy();
    server.close();
  });
  const { port: here } = server.address() as AddressInfo;
  return {
    connection: { ...connection, host: "127.0.0.1", port: here },
    /** the number of connections tried so far */
    tried: () => tried,
    loseInSilence,
    refuse,
    cut,
    blackHole,
    restore,
    slow: (delay: number) => {
      state.delay = delay;
    },
  };
}

function slowed(state: { delay: number }): Transform {
  return new Transform({
    transform(piece, _encoding, done) {
      if (state.delay === 0) return done(null, piece);
      setTimeout(done, state.delay, null, piece);
    },
  });
}

/** A server on a port that accepts and closes, like a proxy with nothing behind it. */
export async function startClosingServer(): Promise<pg.PoolConfig> {
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
