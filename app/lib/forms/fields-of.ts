import type { FieldOf } from "#app/lib/context.server.ts";

/** Names the fields of a form: TypeScript rejects one that its call does not take. */
export const fieldsOf =
  <Call>() =>
  (name: FieldOf<Call>) =>
    name;
