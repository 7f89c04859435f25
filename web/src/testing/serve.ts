import { CALLS } from "@tapthru/proto/calls";
import { HttpResponse, http, type JsonBodyType } from "msw";
import { server } from "./server.ts";

const HANDLERS = { GET: http.get, POST: http.post, PUT: http.put, PATCH: http.patch, DELETE: http.delete };

interface Asked<Body> {
  body: Body;
  /** Of the path. */
  params: Record<string, string | readonly string[] | undefined>;
  /** With its question mark. */
  search: string;
}

/** The status of the call's replies: 201 if it creates something. */
function statusOf(call: string): number {
  const parts = call.split(/[ /]+/);
  const definition = Object.values(CALLS).find(({ method, path }) => {
    const defined = `${method} ${path}`.split(/[ /]+/);
    return defined.length === parts.length && defined.every((part, at) => part.startsWith(":") || part === parts[at]);
  });
  const [status = 200] = Object.keys(definition?.replies ?? {}).map(Number);
  return status;
}

/**
 * Serves a call of the api. @param reply a response, or the value of one that succeeds
 * @returns what was sent so far: the body of each request, or the query of one that has no JSON
 */
export function serve<Body = unknown>(
  call: `${keyof typeof HANDLERS} /${string}`,
  reply: (asked: Asked<Body>) => unknown,
  options: { once?: boolean } = {},
): unknown[] {
  const sent: unknown[] = [];
  const [method, path = ""] = call.split(" ");
  const status = statusOf(call);
  const handle = HANDLERS[method as keyof typeof HANDLERS];
  server.use(
    handle(
      path,
      async ({ request, params }) => {
        const text = await request.text();
        const { search } = new URL(request.url);
        const isJson = request.headers.get("Content-Type")?.includes("json");
        const body = isJson ? JSON.parse(text) : undefined;
        sent.push(body ?? search);
        const replied = await reply({ body, params, search });
        return replied instanceof Response ? replied : HttpResponse.json(replied as JsonBodyType, { status });
      },
      options,
    ),
  );
  return sent;
}

/** A response that says no more than that the call failed. */
export const failure = (status = 503) => new HttpResponse("Unavailable.", { status });

/** Replies wait until `release` is called. */
export function heldReplies() {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  return { released, release: () => resolve() };
}
