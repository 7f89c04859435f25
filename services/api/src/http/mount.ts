import { parse } from "node:querystring";
import { Readable } from "node:stream";
import { Router } from "@koa/router";
import { actAs } from "@tapthru/core/platform/audit-log";
import type { Access, Call } from "@tapthru/proto/http/call";
import type { ErrorCode } from "@tapthru/proto/rules/errors";
import { messages } from "@tapthru/proto/rules/messages";
import type { Context } from "koa";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import type { CallerOf, Guard, GuardOf } from "./guards.ts";
import { createJsonReader } from "./read-json.ts";
import { requestActor } from "./request-actor.ts";

/** Only such names are repeated in error messages, because a field name may be long and contain anything. */
const FIELD_NAME = /^\w{1,40}$/;

/** A reply that is not JSON. */
export class TextReply {
  readonly type: string;
  readonly text: string | Readable;

  constructor(type: string, text: string | Readable) {
    this.type = type;
    this.text = text;
  }
}

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

/** The router of the api, which knows the guard of each call. */
export class ApiRouter extends Router {
  readonly guardOf: GuardOf;

  constructor(guardOf: GuardOf) {
    // A trailing slash makes a different path: `DELETE /api/sessions/` must not end all sessions.
    super({ strict: true, sensitive: true });
    this.guardOf = guardOf;
  }
}

interface Input<C extends Call, Caller> {
  caller: Caller;
  params: Output<C["params"]>;
  query: Output<C["query"]>;
  body: Output<C["body"]>;
}

type Handler<C extends Call, Caller, Status extends keyof C["replies"] & number> = (
  ctx: Context,
  input: Input<C, Caller>,
) => Promise<{ status: Status; body: z.input<C["replies"][Status]> | Readable | TextReply }>;

/**
 * Mounts a call that proto defines, for those who may call it. The input is validated before the handler runs, and unknown fields
 * are removed from the reply. For a large reply a handler may return a stream of JSON, from which it must remove unknown fields
 * itself. For another content type it may return a `TextReply`. A handler of a GET that changes something calls `actAs` itself.
 */
export function mount<
  C extends Call & { access: NonNullable<Access> },
  Status extends keyof C["replies"] & number,
>(router: ApiRouter, call: C, handler: Handler<C, CallerOf<C["access"]>, Status>): void {
  mountWithGuard(router, call, router.guardOf(call), handler);
}

/** Mounts a call whose guard is not one that several calls have. */
export function mountWithGuard<C extends Call, Caller, Status extends keyof C["replies"] & number>(
  router: Router,
  call: C,
  guard: Guard<Caller>,
  handler: Handler<C, Caller, Status>,
): void {
  const { replies } = call;
  const readJson = createJsonReader(call.bodyMaxBytes);
  router.register(
    call.path,
    [call.method],
    [
      async (ctx: Context) => {
        const caller = await guard(ctx);
        const body =
          call.body === undefined ? undefined : await ctx.state.whileWaiting(() => readJson(ctx));
        await takeCallersTurn(ctx, caller);
        const input = {
          caller,
          params: parseOptional(call.params, ctx.params, "not-found") as Output<C["params"]>,
          // Koa's own parser takes time in proportion to the square of the number of parameters.
          query: parseOptional(call.query, parse(ctx.querystring), "invalid-query") as Output<
            C["query"]
          >,
          body: parseOptional(call.body, body, "invalid-body") as Output<C["body"]>,
        };
        const result =
          call.method === "GET"
            ? await handler(ctx, input)
            : await actAs(requestActor(ctx, caller), () => handler(ctx, input));
        ctx.status = result.status;
        if (result.body instanceof TextReply) {
          ctx.type = result.body.type;
          ctx.body = result.body.text;
          return;
        }
        ctx.type = "json";
        ctx.body =
          result.body instanceof Readable
            ? result.body
            : z.parse(replies[ctx.status] ?? z.never(), result.body);
      },
    ],
  );
}

/** Concurrent requests of one caller that change nothing. */
const READS_PER_CALLER = 4;

/**
 * One request of a caller may change something at a time, as most lock the same rows: the others would wait for the lock
 * with a connection to Postgres that other callers need.
 * @param caller what the guard returned
 */
export async function takeCallersTurn(ctx: Context, caller: unknown): Promise<void> {
  const key = callerKey(caller);
  if (key === null) return;
  const isRead = ctx.method === "GET" || ctx.method === "HEAD";
  await ctx.state.takeTurn(isRead ? `reads of ${key}` : key, isRead ? READS_PER_CALLER : 1);
}

/** Null for a caller that is known by the address only. */
function callerKey(caller: unknown): string | null {
  if (typeof caller !== "object" || caller === null) return null;
  if ("userId" in caller && caller.userId !== null) return `user:${caller.userId}`;
  const isVisitor = "visitorKey" in caller && Buffer.isBuffer(caller.visitorKey);
  return isVisitor ? `visitor:${(caller.visitorKey as Buffer).toString("hex")}` : null;
}

function parseOptional(
  schema: z.ZodMiniType | undefined,
  input: unknown,
  code: ErrorCode,
): unknown {
  return schema === undefined ? undefined : parseInput(schema, input, code);
}

/** @throws ApiError with the message of the first invalid field */
export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  input: unknown,
  code: ErrorCode,
): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { error: validationMessage });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiError(code, issue && { message: issue.message });
}

/** Message for schema rules that define none. */
function validationMessage(issue: z.core.$ZodRawIssue): string {
  const isUnexpected = issue.code === "unrecognized_keys";
  const field = isUnexpected ? issue.keys[0] : issue.path?.[0];
  if (typeof field !== "string" || !FIELD_NAME.test(field)) return messages.malformedRequest;
  return isUnexpected ? messages.unexpectedField(field) : messages.malformedField(field);
}
