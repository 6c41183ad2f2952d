import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Proxy } from "./browser.ts";

/**
 * Preloaded by Elk's server: connections to the test's names go to the proxy. No name server knows these
 * names.
 */
const toProxy = (port: number) => `
import tls from "node:tls";
const { connect } = tls;
tls.connect = (options, ...rest) =>
  connect(
    String(options?.host).endsWith(".test")
      ? { ...options, servername: options.host, host: "127.0.0.1", port: ${port} }
      : options,
    ...rest,
  );
`;

/** Elk's own server: it calls Postcard too, to be registered and for a token, and checks who signed. */
export async function startElk(program: string, folder: string, proxy: Proxy) {
  const preload = join(folder, "names.mjs");
  await writeFile(preload, toProxy(proxy.port));
  const server = spawn(process.execPath, ["--import", pathToFileURL(preload).href, program], {
    env: {
      ...process.env,
      HOST: "127.0.0.1",
      PORT: "0",
      NODE_EXTRA_CA_CERTS: proxy.authority,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const port = await Promise.race([
    new Promise<number>((resolve) => {
      let output = "";
      server.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const port = /Listening on \S+:(\d+)/.exec(output)?.[1];
        if (port) resolve(Number(port));
      });
    }),
    ended.then(([code]) => Promise.reject(new Error(`Elk's server ended with ${code}.`))),
  ]);
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
  };
  return { port, stop };
}
