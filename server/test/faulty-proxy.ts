import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Transform } from "node:stream";
import type pg from "pg";
import { afterFile } from "#server/test/after-file.ts";

/**
 * A way to a PostgreSQL over TCP that can become slow, be cut, or lose its flows without a word, as a
 * firewall does.
 */
export async function startFaultyProxy(connection: pg.PoolConfig) {
  const { host = "", port = 5432 } = connection;
  const flows = new Set<[Socket, Socket]>();
  const kept: Socket[] = [];
  /** What becomes of connections that are made, and how long each piece takes on its way, milliseconds. */
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

  /** None can be made any more; those that are there stay. */
  function refuse(): void {
    state.opens = "refused";
  }

  /** Every connection ends, and none can be made. */
  function cut(): void {
    refuse();
    for (const [near, far] of flows) {
      near.destroy();
      far.destroy();
    }
  }

  /** Silence, on the connections of now and on those that are made. */
  function blackHole(): void {
    state.opens = "nowhere";
    loseInSilence();
  }

  /** What was lost stays lost; new connections go through again, at once. */
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
    /** connections that were tried until now */
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

/** A server at a port that accepts and closes, as a proxy does that has nothing behind it. */
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
