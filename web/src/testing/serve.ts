import { CALLS } from "@tapthru/proto/calls";
import type { Channel } from "@tapthru/proto/channels";
import { ERRORS, type ErrorCode } from "@tapthru/proto/errors";
import { HttpResponse, http, type JsonBodyType } from "msw";
import * as z from "zod/mini";
import { server } from "./server.ts";

const HANDLERS = { GET: http.get, POST: http.post, PUT: http.put, PATCH: http.patch, DELETE: http.delete };

export interface Asked<Body> {
  body: Body;
  params: Record<string, string | readonly string[] | undefined>;
  /** With its question mark. */
  search: string;
  query: URLSearchParams;
  headers: Headers;
}

function definitionOf(call: string) {
  const parts = call.split(/[ /]+/);
  return Object.values(CALLS).find(({ method, path }) => {
    const defined = `${method} ${path}`.split(/[ /]+/);
    return defined.length === parts.length && defined.every((part, at) => part.startsWith(":") || part === parts[at]);
  });
}

/**
 * Serves a call of the api, and refuses a body that the api refuses. @param reply a response, or the value of one that succeeds
 * @returns what was sent so far: the body of each request, or the query of one that has no JSON
 */
export function serve<Body = unknown>(
  call: `${keyof typeof HANDLERS} /${string}`,
  reply: (asked: Asked<Body>) => unknown,
  options: { once?: boolean } = {},
): unknown[] {
  const sent: unknown[] = [];
  const [method, path = ""] = call.split(" ");
  const definition = definitionOf(call);
  const schema = definition && "body" in definition ? definition.body : undefined;
  // 201 if it creates something.
  const [status = 200] = Object.keys(definition?.replies ?? {}).map(Number);
  const handle = HANDLERS[method as keyof typeof HANDLERS];
  server.use(
    handle(
      path,
      async ({ request, params }) => {
        const text = await request.text();
        const { search, searchParams: query } = new URL(request.url);
        const { headers } = request;
        const isJson = headers.get("Content-Type")?.includes("json");
        const body = isJson ? JSON.parse(text) : undefined;
        sent.push(body ?? search);
        if (isJson && schema && !z.safeParse(schema, body).success) return problem("invalid-body");
        const replied = await reply({ body, params, search, query, headers });
        return replied instanceof Response ? replied : HttpResponse.json(replied as JsonBodyType, { status });
      },
      options,
    ),
  );
  return sent;
}

export const serveChannels = (...channels: Channel[]) => serve("GET /api/channels", () => channels);

/** A response that says no more than that the call failed. */
export const failure = (status = 503) => new HttpResponse("Unavailable.", { status });

/** A problem response, as the api sends it. */
export function problem(code: ErrorCode): Response {
  const { status, message: title } = ERRORS[code];
  const headers = { "Content-Type": "application/problem+json" };
  return new HttpResponse(JSON.stringify({ title, status, code }), { status, headers });
}

/** Never replies. */
export const noReply = () => new Promise<never>(() => {});

/** Replies wait until `release` is called. */
export function heldReplies() {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  return { released, release: () => resolve() };
}

/**
 * Responds to a call with these replies first, one each, then as before.
 * @returns a function that returns how many of them were sent
 */
export function respondOnceWith(call: Parameters<typeof serve>[0], ...replies: (() => Response)[]): () => number {
  const sent = replies.toReversed().map((reply) => serve(call, reply, { once: true }));
  return () => sent.flat().length;
}
