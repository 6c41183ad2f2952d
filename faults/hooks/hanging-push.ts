// For --import: every push service accepts the connection and never answers. Postcard pushes to public
// addresses only, so the hook replaces the network: https goes to the silent port that FAULTS_SILENT names.
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";

type Options = http.RequestOptions;

const silent = (_url: unknown, { method, signal }: Options, answered: () => void) =>
  http.request(
    { host: "127.0.0.1", port: process.env["FAULTS_SILENT"], method, ...(signal && { signal }) },
    answered,
  );
Object.assign(https, { request: silent });
syncBuiltinESMExports();
