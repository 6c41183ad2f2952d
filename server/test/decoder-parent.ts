// A program for the tests of the decoder: has one image decoded, and nothing else.
import { createDecoder } from "#server/features/posts/images/decoder.ts";

const [path = "", program = ""] = process.argv.slice(2);
const turn = { deadline: performance.now() + 600_000, charge: () => undefined };
const decoder = createDecoder(program ? { program: new URL(program) } : {});
await decoder.render("renderImage", path, turn, { moving: false });
process.stdout.write("rendered\n");
