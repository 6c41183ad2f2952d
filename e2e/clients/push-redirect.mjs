/** Preloaded into a server: requests to a host of PUSH_REDIRECT go to that port of this machine, without TLS. */
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

const ports = JSON.parse(process.env["PUSH_REDIRECT"] ?? "{}");
const { request } = https;
https.request = (url, options, answered) => {
  const port = ports[url.hostname];
  if (!port) return request(url, options, answered);
  const local = new URL(`http://127.0.0.1:${port}${url.pathname}`);
  const { lookup: _, ...others } = options;
  return http.request(local, others, answered);
};
syncBuiltinESMExports();
