import { afterAll } from "vitest";
import { endFile } from "#server/test/after-file.ts";

afterAll(endFile);
