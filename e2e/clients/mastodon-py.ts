/** Mastodon.py from Debian (python3-mastodon) against its own Postcard. */
import { join } from "node:path";
import sharp from "sharp";
import { here, program, runSuite, succeeds } from "./server.ts";

const python = "/usr/bin/python3";

await runSuite(
  "Mastodon.py",
  async () =>
    (await succeeds(python, ["-c", "import mastodon"]))
      ? null
      : "python3-mastodon is not installed.",
  async ({ url, folder }) => {
    const photo = join(folder, "trumpet.jpg");
    const background = { r: 180, g: 140, b: 40 };
    await sharp({ create: { width: 640, height: 480, channels: 3, background } }).toFile(photo);
    return program(python, [join(here, "mastodon-client.py"), url, photo]);
  },
);
