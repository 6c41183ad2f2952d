import { z } from "zod";
import { internalCalls } from "#server/api/declared-calls.ts";
import {
  deviceImportEndInput,
  deviceImportInput,
  devicePostInput,
  elsewhereInput,
  knownKeysInput,
} from "#shared/archive.inputs.ts";

const path = "/calls/imports";
const params = z.object({ id: z.string().max(64) });

const { forMembers } = internalCalls;

/** Posts of an export that a device read. */
export const deviceImportCalls = {
  begin: forMembers(`POST ${path}`, {
    body: deviceImportInput,
    handler: async ({ deviceImports }, { viewer, body }) => ({
      id: await deviceImports.begin(viewer, body),
    }),
  }),
  known: forMembers(`POST ${path}/known`, {
    body: knownKeysInput,
    handler: ({ deviceImports }, { viewer, body }) => deviceImports.known(viewer, body),
  }),
  people: forMembers(`POST ${path}/people`, {
    body: elsewhereInput,
    handler: async ({ elsewhere }, { viewer, body }) => ({
      people: await elsewhere.find(viewer, body),
    }),
  }),
  addPost: forMembers(`POST ${path}/:id/posts`, {
    params,
    body: devicePostInput,
    handler: async ({ deviceImports }, { viewer, params, body }) => ({
      outcome: await deviceImports.addPost(viewer, params.id, body),
    }),
  }),
  end: forMembers(`POST ${path}/:id/end`, {
    params,
    body: deviceImportEndInput,
    handler: async ({ deviceImports }, { viewer, params, body }) => {
      await deviceImports.end(viewer, params.id, body);
      return {};
    },
  }),
};
