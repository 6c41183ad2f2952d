import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { afterFile } from "#server/test/after-file.ts";

/**
 * A small image host with the API that api.imgbb.com documents: POST /1/upload?key=… with the multipart field
 * `image`. `failing` makes it answer every request with that status.
 */
export async function startImageHost(key: string) {
  const kept = new Map<string, Buffer>();
  const host = { failing: null as number | null, failAfter: Infinity, asked: 0 };

  async function upload(request: IncomingMessage, answer: ServerResponse, url: URL) {
    const form = await new Response(new Uint8Array(await buffer(request)), {
      headers: { "content-type": request.headers["content-type"] ?? "" },
    }).formData();
    const image = form.get("image");
    const refused = url.searchParams.get("key") !== key || !(image instanceof Blob);
    if (refused) return send(answer, 400, { status_code: 400, error: { code: 100 } });
    const id = `id${kept.size + 1}`;
    kept.set(id, Buffer.from(await image.arrayBuffer()));
    const address = `${origin}/${id}/${form.get("name")}.webp`;
    const data = {
      id,
      title: form.get("name"),
      url: address,
      display_url: address,
      size: String(image.size),
      delete_url: `${origin}/${id}/delete-page`,
    };
    send(answer, 200, { data, success: true, status: 200 });
  }

  const server = createServer((request, answer) => {
    const url = new URL(request.url ?? "/", "http://host");
    host.asked += 1;
    if (host.failing !== null || host.asked > host.failAfter) {
      send(answer, host.failing ?? 500, { status_code: 500 });
    } else if (request.method === "POST" && url.pathname === "/1/upload") {
      upload(request, answer, url).catch(() => answer.destroy());
    } else {
      const found = kept.get(url.pathname.split("/")[1] ?? "");
      if (!found) send(answer, 404, {});
      else answer.writeHead(200, { "Content-Type": "image/webp" }).end(found);
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  afterFile(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(host, { origin, kept });
}

function send(answer: ServerResponse, status: number, body: object) {
  answer.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
