import { z } from "zod";
import { memberOf } from "#server/api/calls.ts";
import { call } from "#server/api/declared-calls.ts";
import type { Features } from "#server/features/index.ts";
import {
  deviceImportEndInput,
  deviceImportInput,
  devicePostInput,
  elsewhereInput,
  knownKeysInput,
} from "#shared/archive.inputs.ts";
import { accountElsewhereSchema } from "#shared/views.schemas.ts";

type Deps = { features: Pick<Features, "deviceImports" | "elsewhere"> };

const path = "/calls/imports";
const params = z.object({ id: z.string().max(64) });

/** In no document: the browser reads an export for its own pages. */
const hidden = <const Schema extends object>(schema: Schema) => ({
  config: { access: "member" as const },
  schema: { hide: true as const, ...schema },
});

const declared = {
  begin: hidden({ body: deviceImportInput, response: { 200: z.object({ id: z.string() }) } }),
  known: hidden({
    body: knownKeysInput,
    response: { 200: z.object({ known: z.array(z.string()), before: z.int() }) },
  }),
  people: hidden({
    body: elsewhereInput,
    response: { 200: z.object({ people: z.array(accountElsewhereSchema) }) },
  }),
  addPost: hidden({
    params,
    body: devicePostInput,
    response: { 200: z.object({ outcome: z.enum(["taken", "known"]) }) },
  }),
  end: hidden({ params, body: deviceImportEndInput, response: { 200: z.object({}) } }),
};

/** Posts of an export that a device read. */
export function deviceImportCalls({ features: { deviceImports, elsewhere } }: Deps) {
  return {
    begin: call("POST", path, declared.begin, async (request) => ({
      id: await deviceImports.begin(memberOf(request), request.body),
    })),
    known: call("POST", `${path}/known`, declared.known, (request) =>
      deviceImports.known(memberOf(request), request.body),
    ),
    people: call("POST", `${path}/people`, declared.people, async (request) => ({
      people: await elsewhere.find(memberOf(request), request.body),
    })),
    addPost: call("POST", `${path}/:id/posts`, declared.addPost, async (request) => ({
      outcome: await deviceImports.addPost(memberOf(request), request.params.id, request.body),
    })),
    end: call("POST", `${path}/:id/end`, declared.end, async (request) => {
      await deviceImports.end(memberOf(request), request.params.id, request.body);
      return {};
    }),
  };
}
