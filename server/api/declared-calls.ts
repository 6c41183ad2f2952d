import type { FastifyContextConfig, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod";
import type { Calls } from "#server/api/calls.ts";
import { refuse } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";

type PartName = "params" | "querystring" | "headers" | "body";
export type CallSchema = FastifySchema & {
  [Name in PartName]?: z.ZodType;
} & { response: Record<number, z.ZodType> };

/** One part of a request, after its schema parsed it. */
type Part<Schema, Name extends PartName> =
  Schema extends Record<Name, infer Declared extends z.ZodType> ? z.output<Declared> : undefined;

type Headers = FastifyRequest["headers"];

/** What a handler reads from a request: no more than a form has, too. */
export type CallRequest<Schema> = Pick<FastifyRequest, "viewer" | "ip" | "method" | "url"> & {
  params: Part<Schema, "params">;
  query: Part<Schema, "querystring">;
  /** the declared ones; without a declaration, all that were sent */
  headers: Schema extends { headers: z.ZodType } ? Part<Schema, "headers"> : Headers;
  body: Part<Schema, "body">;
};

/** What a handler may set besides its answer. */
export type CallReply = {
  status(status: number): unknown;
  header(name: string, value: string | readonly string[]): unknown;
};

type Declared<Schema extends CallSchema> = z.output<
  Schema["response"][keyof Schema["response"] & number]
>;
export type AnswerOf<Schema extends CallSchema> =
  Declared<Schema> | (undefined extends Declared<Schema> ? void : never);

/** A call that a form of a page can make, too. */
export type Call<Schema extends CallSchema> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  config: FastifyContextConfig;
  schema: Schema;
  handler: (request: CallRequest<Schema>, reply: CallReply) => Promise<AnswerOf<Schema>>;
};

/** The fields that a call takes, by name. */
export type FieldOf<Asked> =
  Asked extends Call<infer Schema>
    ? {
        [Name in "params" | "querystring" | "body"]: KeyOf<Part<Schema, Name>>;
      }["params" | "querystring" | "body"]
    : never;
type KeyOf<Input> = Input extends object ? keyof Input & string : never;

/** Declares a call, like a route of `addCalls` (server/api/calls.ts). */
export function call<const Schema extends CallSchema>(
  method: Call<Schema>["method"],
  url: string,
  { config, schema }: Pick<Call<Schema>, "config" | "schema">,
  handler: Call<Schema>["handler"],
): Call<Schema> {
  return { method, url, config, schema, handler };
}

type InternalSchema<Body extends z.ZodType, Answer> = {
  hide: true;
  body: Body;
  response: { 200: z.ZodType<Answer> };
};

/** Declares a call for our own pages only: it is in no document, and pages of other origins can't make it. */
export function internalCall<Body extends z.ZodType, Answer>(
  access: "anybody" | "member",
  url: `/calls/${string}`,
  body: Body,
  handler: (request: CallRequest<{ body: Body }>, reply: CallReply) => Promise<Answer>,
): Call<InternalSchema<Body, Answer>> {
  const response: { 200: z.ZodType<Answer> } = { 200: z.custom<Answer>() };
  const schema = { hide: true, body, response } as const;
  return call("POST", url, { config: { access }, schema }, async (request, reply) => {
    const answer = await handler(request, reply);
    if (answer === undefined) reply.status(204);
    return answer;
  });
}

type AnyCall = Omit<Call<CallSchema>, "handler"> & {
  handler: (request: never, reply: CallReply) => Promise<unknown>;
};

/** Turns calls into routes: the schemas that type their handlers also check their requests. */
export function addRoutes(app: Calls, calls: Record<string, AnyCall>): void {
  for (const { handler, ...declared } of Object.values(calls)) {
    app.route({ ...declared, handler: (request, reply) => handler(request as never, reply) });
  }
}

type Sender = Pick<FastifyRequest, "viewer" | "ip" | "headers">;
/** What a form sends to a call, not validated yet. */
export type Sent = { [Name in PartName]?: object | undefined };

/**
 * Makes a call for a form of a page, with the access, input and effect of its route.
 * An invalid address is not found. Cookies for its browser go to `setCookie`.
 */
export async function runCall<Schema extends CallSchema>(
  { method, url, config, schema, handler }: Call<Schema>,
  { viewer, ip, headers }: Sender,
  sent: Sent,
  setCookie: (cookie: string) => void,
): Promise<AnswerOf<Schema>> {
  if (config.access === "member" && !viewer) throw refuse("sign-in-required");
  const part = <Name extends PartName>(name: Name) => {
    const declared: z.ZodType | undefined = schema[name];
    // What the conditional type says about this schema.
    return (declared && parseInput(declared, sent[name] ?? {})) as Part<Schema, Name>;
  };
  const request = {
    viewer,
    ip,
    method,
    url,
    params: orNowhere(() => part("params")),
    query: part("querystring"),
    headers: (part("headers") ?? headers) as CallRequest<Schema>["headers"],
    body: part("body"),
  };
  return handler(request, {
    // The page has its own status and headers.
    status: () => undefined,
    header: (name, value) => {
      if (name === "Set-Cookie") [value].flat().forEach(setCookie);
    },
  });
}

function orNowhere<Params>(parse: () => Params): Params {
  try {
    return parse();
  } catch (error) {
    throw refuse("not-found", { cause: error });
  }
}
