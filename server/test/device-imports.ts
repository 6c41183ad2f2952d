import type { testApp } from "#server/test/app.ts";
import type { Viewer } from "#shared/views.ts";

type Call = Awaited<ReturnType<typeof testApp>>["call"];

const tus = { "tus-resumable": "1.0.0" };
const inBase64 = (text: string) => Buffer.from(text).toString("base64");

/** The key of a post of Instagram. */
const keyOf = (key: number | string) =>
  typeof key === "string" ? key : `instagram:${String(key).padStart(32, "0")}`;

const postOf = ({ key = 0, ...rest }: { key?: number | string } & Record<string, unknown>) => ({
  audience: "everyone",
  pictures: [],
  ...rest,
  key: keyOf(key),
});

/** What reads an export and sends its posts: each call answers what it says, or the code of its refusal. */
export function deviceOf({ call }: { call: Call }, viewer: Viewer, photo: Buffer) {
  async function said<Said>(path: string, payload: object, read: (json: never) => Said) {
    const answer = await call(viewer, "POST", `/calls/imports${path}`, { payload });
    const json = answer.json();
    return answer.statusCode === 200 ? read(json as never) : (json.error.code as never);
  }

  const begin = (wanted: object = {}): Promise<string> =>
    said(
      "",
      { kind: "instagram", audience: "everyone", posts: 5, bytes: 0, ...wanted },
      ({ id }: { id: string }) => id,
    );

  /** Begins an upload: its address. */
  async function upload(id: string): Promise<string> {
    const headers = {
      ...tus,
      "upload-length": String(photo.length),
      "upload-metadata": `import ${inBase64(id)}`,
    };
    const answer = await call(viewer, "POST", "/api/uploads", { headers });
    return answer.statusCode === 201 ? String(answer.headers.location) : answer.json().error.code;
  }

  /** Sends the photo: its image's id. */
  async function send(id: string): Promise<string> {
    const url = await upload(id);
    const type = { "content-type": "application/offset+octet-stream" };
    const headers = { ...tus, ...type, "upload-offset": "0" };
    await call(viewer, "PATCH", url, { headers, payload: photo });
    for (;;) {
      const seen = (await call(viewer, "GET", url)).json();
      if (seen.state !== "preparing") return seen.imageId;
    }
  }

  return {
    begin,
    upload,
    send,
    /** Those of the posts that are here, by their numbers. */
    known: (keys: readonly number[]) =>
      said("/known", { keys: keys.map(keyOf) }, ({ known }: { known: string[] }) =>
        known.map((key) => Number(key.slice(key.indexOf(":") + 1))).toSorted(),
      ),
    post: (id: string, post: Parameters<typeof postOf>[0]): Promise<string> =>
      said(`/${id}/posts`, postOf(post), ({ outcome }: { outcome: string }) => outcome),
    /** The same, with its status and its sentence. */
    answer: (id: string, post: Parameters<typeof postOf>[0]) =>
      call(viewer, "POST", `/calls/imports/${id}/posts`, { payload: postOf(post) }),
    end: (id: string, result: object): Promise<string> => said(`/${id}/end`, result, () => "done"),
  };
}

export type Device = ReturnType<typeof deviceOf>;
