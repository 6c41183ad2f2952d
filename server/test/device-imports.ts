import type { testApp } from "#server/test/app.ts";
import { beginUpload, sendUpload } from "#server/test/tus.ts";
import type { Viewer } from "#shared/views.ts";

type Call = Awaited<ReturnType<typeof testApp>>["call"];

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

  const uploadFor = (id: string) => ({ call, viewer, photo, metadata: { import: id } });
  const upload = (id: string) => beginUpload(uploadFor(id));
  const send = (id: string) => sendUpload(uploadFor(id));

  return {
    begin,
    upload,
    send,
    /** Those of the posts that are here, by their numbers. */
    known: (keys: readonly number[]) =>
      said("/known", { keys: keys.map(keyOf) }, ({ known }: { known: string[] }) =>
        known.map((key) => Number(key.slice(key.indexOf(":") + 1))).toSorted(),
      ),
    /** How many of the posts are here without the import that is open. */
    knownBefore: (keys: readonly number[]): Promise<number> =>
      said("/known", { keys: keys.map(keyOf) }, ({ before }: { before: number }) => before),
    post: (id: string, post: Parameters<typeof postOf>[0]): Promise<string> =>
      said(`/${id}/posts`, postOf(post), ({ outcome }: { outcome: string }) => outcome),
    /** The same, with its status and its sentence. */
    answer: (id: string, post: Parameters<typeof postOf>[0]) =>
      call(viewer, "POST", `/calls/imports/${id}/posts`, { payload: postOf(post) }),
    end: (id: string, result: object): Promise<string> => said(`/${id}/end`, result, () => "done"),
  };
}

export type Device = ReturnType<typeof deviceOf>;
