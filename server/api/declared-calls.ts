import type { FastifyContextConfig, FastifyRequest, FastifySchema } from "fastify";
import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import type { Features } from "#server/features/index.ts";
import { refuse, type RefusalCode } from "#shared/errors.ts";
import { parseInput } from "#shared/inputs.ts";
import type { Viewer } from "#shared/views.ts";

type PartName = "params" | "querystring" | "headers" | "body";
type Part = z.ZodType | undefined;
export type CallSchema = FastifySchema & {
  [Name in PartName]?: Part;
} & { response: Record<number, z.ZodType> };

/** One part of a request, after its schema parsed it. */
type Parsed<Schema, Name extends PartName> =
  Schema extends Record<Name, infer Declared extends z.ZodType> ? z.output<Declared> : undefined;

type Headers = FastifyRequest["headers"];

/** What a handler reads from a request: no more than a form has, too. */
type CallRequest<Schema> = Pick<FastifyRequest, "viewer" | "ip" | "method" | "url"> & {
  params: Parsed<Schema, "params">;
  query: Parsed<Schema, "querystring">;
  /** the declared ones; without a declaration, all that were sent */
  headers: Schema extends { headers: z.ZodType } ? Parsed<Schema, "headers"> : Headers;
  body: Parsed<Schema, "body">;
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

type Handler<Schema extends CallSchema, By extends Viewer | null> = (
  features: Features,
  request: CallRequest<Schema> & { viewer: By },
  reply: CallReply,
) => Promise<AnswerOf<Schema>>;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A call that a form of a page can make, too. */
export type Call<Schema extends CallSchema> = {
  method: Method;
  url: string;
  config: FastifyContextConfig;
  schema: Schema;
  handler: Handler<Schema, Viewer | null>;
};

/** The fields that a call takes, by name. */
export type FieldOf<Asked> =
  Asked extends Call<infer Schema>
    ? {
        [Name in "params" | "querystring" | "body"]: KeyOf<Parsed<Schema, Name>>;
      }["params" | "querystring" | "body"]
    : never;
type KeyOf<Input> = Input extends object ? keyof Input & string : never;

/** What a call says of itself in the document. */
type Documented = Pick<FastifySchema, "summary" | "description" | "answerHeaders"> & {
  /** beyond the refusals of every call */
  refuses?: readonly RefusalCode[];
  /** bytes, where its body may be longer than others */
  bodyLimit?: number;
};

/** What a call takes, part by part, and what it answers. */
type Schema<
  Params extends Part,
  Query extends Part,
  Headers extends Part,
  Body extends Part,
  Answers extends CallSchema["response"],
> = { params: Params; querystring: Query; headers: Headers; body: Body; response: Answers };

type Access = "anybody" | "member";

/**
 * A call of one chapter of the document: `forMembers("PUT /api/notes/:id", { summary, …, handler })`. Its handler gets
 * the features, and a request as its schemas parsed it.
 */
const documented =
  <By extends Viewer | null>(access: Access, chapter: string) =>
  <
    const Answers extends CallSchema["response"],
    Params extends Part = undefined,
    Query extends Part = undefined,
    Headers extends Part = undefined,
    Body extends Part = undefined,
  >(
    line: `${Method} /${string}`,
    declared: Partial<Schema<Params, Query, Headers, Body, Answers>> &
      Documented & {
        response: Answers;
        /** the emails by which its body names accounts that it looks up */
        addressesIn?: (body: z.output<NonNullable<Body>>) => readonly string[];
        handler: Handler<Schema<Params, Query, Headers, Body, Answers>, By>;
      },
  ) => {
    const { refuses: refusals = [], bodyLimit, addressesIn, handler, ...schema } = declared;
    return callAt<Schema<Params, Query, Headers, Body, Answers>, By>(line, {
      ...(bodyLimit && { bodyLimit }),
      config: { access, refusals, ...(addressesIn && { addressesIn }) },
      schema: { tags: [chapter], ...schema },
      handler,
    });
  };

export const callsOf = (chapter: string) => ({
  forAnybody: documented<Viewer | null>("anybody", chapter),
  forMembers: documented<Viewer>("member", chapter),
});

/** A call for our own pages only: it is in no document, and pages of other origins can't make it. */
const internal =
  <By extends Viewer | null>(access: Access) =>
  <
    Answer,
    Params extends Part = undefined,
    Query extends Part = undefined,
    Body extends Part = undefined,
  >(
    line: `${Method} /calls/${string}`,
    declared: Partial<
      Omit<Schema<Params, Query, undefined, Body, never>, "headers" | "response">
    > & {
      handler: (
        features: Features,
        request: CallRequest<Schema<Params, Query, undefined, Body, never>> & { viewer: By },
        reply: CallReply,
      ) => Promise<Answer>;
    },
  ) => {
    const { handler, ...schema } = declared;
    type Whole = Schema<Params, Query, undefined, Body, { 200: z.ZodType<Answer> }>;
    return callAt<Whole, By>(line, {
      config: { access },
      schema: { hide: true, ...schema, response: { 200: z.custom<Answer>() } },
      handler: async (features, request, reply) => {
        const answer = await handler(features, request, reply);
        if (answer === undefined) reply.status(204);
        return answer as AnswerOf<Whole>;
      },
    });
  };

export const internalCalls = {
  forAnybody: internal<Viewer | null>("anybody"),
  forMembers: internal<Viewer>("member"),
};

function callAt<Declared extends CallSchema, By extends Viewer | null>(
  line: string,
  {
    handler,
    ...declared
  }: {
    bodyLimit?: number;
    config: FastifyContextConfig;
    schema: object;
    handler: Handler<Declared, By>;
  },
): Call<Declared> {
  const [method, url] = line.split(" ", 2);
  const call = { method, url, handler, ...declared };
  // As its types say: `documented` and `internal` give it nothing but what was declared.
  return call as unknown as Call<Declared>;
}

type AnyCall = Omit<Call<CallSchema>, "handler"> & {
  handler: (features: Features, request: never, reply: CallReply) => Promise<unknown>;
};

/** Turns calls into routes: the schemas that type their handlers also check their requests. */
export function addRoutes(app: Calls, features: Features, calls: Record<string, AnyCall>): void {
  for (const { handler, ...declared } of Object.values(calls)) {
    app.route({
      ...declared,
      handler: async (request, reply) => {
        if (declared.config.access === "member") memberOf(request);
        return handler(features, request as never, reply);
      },
    });
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
  features: Features,
  { viewer, ip, headers }: Sender,
  sent: Sent,
  setCookie: (cookie: string) => void,
): Promise<AnswerOf<Schema>> {
  if (config.access === "member") memberOf({ viewer });
  const part = <Name extends PartName>(name: Name) => {
    const declared: Part = schema[name];
    // What the conditional type says about this schema.
    return (declared && parseInput(declared, sent[name] ?? {})) as Parsed<Schema, Name>;
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
  return handler(features, request, {
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
