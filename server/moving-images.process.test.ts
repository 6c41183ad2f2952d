import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { projectRoot, startProgram, temporaryFolder } from "#server/test/processes.ts";
import { addressOf, signUp, smallImage, startServer } from "#server/test/running-server.ts";
import { startS3Server } from "#server/test/s3-server.ts";
import { filesBelow } from "#server/test/traces.ts";

let s3: Awaited<ReturnType<typeof startS3Server>>;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(() => s3.stop());

function admin(env: Record<string, string>, ...words: string[]) {
  return startProgram([process.execPath, join(projectRoot, "server/admin.ts"), ...words], { env });
}

async function stopped(server: ReturnType<typeof startServer>): Promise<void> {
  server.child.kill("SIGTERM");
  expect(await server.ended).toBe(0);
}

async function upload(address: string, cookie: string): Promise<string> {
  const form = new FormData();
  form.set("image", await smallImage(), "picture.png");
  const headers = { cookie, origin: address };
  const answer = await fetch(`${address}/api/images`, { method: "POST", body: form, headers });
  expect(answer.status).toBe(201);
  const { data } = (await answer.json()) as { data: { url: string } };
  return new URL(data.url).pathname;
}

test(
  "the images of a running installation move into a bucket, even if the command is killed in between",
  { timeout: 180_000 },
  async () => {
    const dataDir = join(temporaryFolder(), "data");
    const onDisk = { IMAGE_STORE: "disk" };
    const before = startServer(dataDir, onDisk);
    const cookie = await signUp(await addressOf(before), "ada@example.org");
    const paths: string[] = [];
    for (let n = 0; n < 8; n += 1) paths.push(await upload(await addressOf(before), cookie));
    await stopped(before);

    const both = { ...s3.environment("town"), IMAGE_STORE_FROM: "disk" };
    const during = startServer(dataDir, both);
    const address = await addressOf(during);
    const unread = async (from: string) => {
      const answers = await Promise.all(
        paths.map(async (path) => {
          const { status, ...answer } = await fetch(from + path);
          return status === 200 ? null : { path, status, answer };
        }),
      );
      return answers.filter((answer) => answer !== null);
    };
    paths.push(await upload(address, cookie));
    expect(await unread(address)).toEqual([]);

    // Killed after a few files have arrived.
    const env = { ...both, DATA_DIR: dataDir, PORT: "0" };
    let puts = 0;
    const first = admin(env, "move-pictures", "--remove");
    s3.fails = (said) => {
      if (said.startsWith("PUT /pictures/town/images") && (puts += 1) > 5)
        first.child.kill("SIGKILL");
      return null;
    };
    await first.ended;
    s3.fails = () => null;
    expect(puts).toBeGreaterThan(5);
    expect(await unread(address)).toEqual([]);
    paths.push(await upload(address, cookie));

    const second = admin(env, "move-pictures", "--remove");
    expect(await second.ended).toBe(0);
    expect(second.said()).toContain("0 not moved.\nEverything was compared and removed");
    expect(await unread(address)).toEqual([]);
    await stopped(during);

    expect(await filesBelow(join(dataDir, "images"))).toEqual([]);
    expect(await filesBelow(join(dataDir, "originals"))).toEqual([]);
    const after = startServer(dataDir, s3.environment("town"));
    expect(await unread(await addressOf(after))).toEqual([]);
    const checked = admin({ ...env, IMAGE_STORE_FROM: "" }, "check-pictures");
    expect(await checked.ended).toBe(0);
    expect(checked.said()).toBe("11 pictures checked, no faults found.\n");
    await stopped(after);
  },
);

test("a server whose keys the bucket refuses ends with one sentence", async () => {
  const environment = { ...s3.environment("town"), S3_SECRET_ACCESS_KEY: "hunter2" };
  const server = startServer(join(temporaryFolder(), "data"), environment);
  expect(await server.ended).toBe(1);
  expect(server.complained()).toMatch(/^The image store at \S+ doesn't take these keys \(.+\.\n$/);
  expect(server.complained() + server.said()).not.toContain("hunter2");
});
