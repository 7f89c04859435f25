import { parse } from "node:querystring";
import { Readable } from "node:stream";
import { Router } from "@koa/router";
import { actAs } from "@tapthru/core/platform/actor";
import { type Access, type Call, type Documentation, type Role, roleOf } from "@tapthru/proto/call";
import type { CallsOf } from "@tapthru/proto/calls";
import { invalidBody, invalidQuery, notFound } from "@tapthru/proto/general-errors";
import { otherAccount } from "@tapthru/proto/members";
import { API_KEY_SCOPES } from "@tapthru/proto/rules/api-key";
import type { ErrorReply } from "@tapthru/proto/rules/error";
import type { Context } from "koa";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { ApiError } from "../http/errors.ts";
import { parseInput } from "../http/parse-input.ts";
import { createJsonReader } from "../http/read-json.ts";
import { countCaller } from "../http/shed-load.ts";
import { hasValidPath } from "../http/unmatched-route.ts";
import { namesAccount, requireRole } from "./acting.ts";
import type { CallerOf, Guard, GuardOf } from "./guards.ts";
import { requestActor } from "./request-actor.ts";

export class ApiRouter extends Router {
  readonly guardOf: GuardOf;
  readonly #withKeys = new Set<string>();

  constructor(guardOf: GuardOf) {
    // A trailing slash makes a different path: `DELETE /api/sessions/` must not end all sessions.
    super({ strict: true, sensitive: true });
    this.guardOf = guardOf;
  }

  allowKeys(method: string, path: string): void {
    this.#withKeys.add(`${method} ${path}`);
  }

  /** True if API keys can make the request. True also for what matches no route, so that a script can read that. */
  takesKeys(ctx: Context): boolean {
    if (!hasValidPath(ctx)) return false;
    const [route] = this.match(ctx.path, ctx.method).pathAndMethod;
    return route === undefined || this.#withKeys.has(`${ctx.method.replace("HEAD", "GET")} ${route.path}`);
  }
}

const takesKeys = ({ access, credentials }: Call & Partial<Documentation>) =>
  (credentials?.flat() ?? [access]).some((each) => API_KEY_SCOPES.some((scope) => scope === each));

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

interface Input<C extends Call, Caller> {
  ctx: Context;
  caller: Caller;
  userId: Caller extends { userId: infer Id } ? Id : undefined;
  params: Output<C["params"]>;
  query: Output<C["query"]>;
  body: Output<C["body"]>;
}

export class TextReply {
  readonly type: string;
  readonly text: string | Readable;

  constructor(type: string, text: string | Readable) {
    this.type = type;
    this.text = text;
  }
}

class Reply<Status, Value> {
  readonly status: Status;
  readonly body: Value;

  constructor(status: Status, body: Value) {
    this.status = status;
    this.body = body;
  }
}

export const reply = <Status extends number, Value>(status: Status, body: Value) => new Reply(status, body);

type Body<Schema> = Schema extends z.ZodMiniType ? Listed<z.input<Schema>> | Readable | TextReply : never;
type Listed<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

type Result<Replies> =
  | { [Status in keyof Replies]: Reply<Status, Body<Replies[Status]>> }[keyof Replies]
  | (IsUnion<keyof Replies> extends true ? never : Body<Replies[keyof Replies]>);
type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never;

/**
 * Responds to a call. The input is validated before, and unknown fields are removed from the reply. For a large reply it may return
 * a stream of JSON, from which it must remove unknown fields itself, and for another content type a `TextReply`.
 */
type Handler<C extends Call, Caller, App> = (
  app: App,
  input: Input<C, Caller>,
) => Promise<Result<C["replies"]>> | Result<C["replies"]>;

class Guarded<C extends Call, App> {
  readonly guardOf: (app: App) => Guard<unknown>;
  readonly handler: Handler<C, never, App>;

  constructor(guardOf: (app: App) => Guard<unknown>, handler: Handler<C, never, App>) {
    this.guardOf = guardOf;
    this.handler = handler;
  }
}

export const guarded = <C extends Call, Caller, App = Api>(
  guardOf: (app: App) => Guard<Caller>,
  handler: Handler<C, Caller, App>,
) => new Guarded<C, App>(guardOf, handler as Handler<C, never, App>);

type HandlerOf<C, App> = C extends Call
  ? C extends { access: NonNullable<Access> }
    ? Handler<C, CallerOf<C["access"]>, App> | Guarded<C, App>
    : Guarded<C, App>
  : never;

/**
 * One function for each call of a module. A missing or surplus one does not compile. A handler of a GET that changes something calls
 * `actAs` itself.
 * @returns mounts the calls in the order of the handlers: the first that matches a path responds
 */
export function handlers<Calls, App = Api>(
  calls: Calls,
  all: { [Name in keyof CallsOf<Calls>]: HandlerOf<CallsOf<Calls>[Name], App> },
): (router: ApiRouter, app: App) => void {
  return (router, app) => {
    for (const [name, entry] of Object.entries<unknown>(all)) {
      const call = calls[name as keyof Calls] as Call;
      const [guard, handler] =
        entry instanceof Guarded
          ? [entry.guardOf(app), entry.handler]
          : [router.guardOf(call as Call & { access: NonNullable<Access> }), entry];
      const respond = (input: Input<Call, unknown>) => (handler as Handler<Call, unknown, App>)(app, input);
      if (takesKeys(call)) router.allowKeys(call.method, call.path);
      router.register(call.path, [call.method], [middleware(call, guard, respond)]);
    }
  };
}

function middleware(call: Call, guard: Guard<unknown>, respond: (input: Input<Call, unknown>) => unknown) {
  const readJson = createJsonReader(call.bodyMaxBytes);
  const onlyStatus = Number(Object.keys(call.replies)[0]);
  return async (ctx: Context) => {
    const caller = await guard(ctx);
    if (call.access !== "anyone") checkRole(call, ctx, Object(caller));
    const json = call.body === undefined ? undefined : await ctx.state.releaseSlotDuring(() => readJson(ctx));
    await countCaller(ctx, caller);
    const input = {
      ctx,
      caller,
      userId: Object(caller).userId,
      params: parseOptional(call.params, ctx.params, notFound),
      // Koa's own parser takes time in proportion to the square of the number of parameters.
      query: parseOptional(call.query, parse(ctx.querystring), invalidQuery),
      body: parseOptional(call.body, json, invalidBody),
    } as Input<Call, unknown>;
    const result =
      call.method === "GET"
        ? await respond(input)
        : await actAs(requestActor(ctx, caller, roleOf(call)), async () => respond(input));
    const [status, body] = result instanceof Reply ? [result.status, result.body] : [onlyStatus, result];
    ctx.status = status;
    if (body instanceof TextReply) {
      ctx.type = body.type;
      ctx.body = body.text;
      return;
    }
    ctx.type = "json";
    ctx.body = body instanceof Readable ? body : z.parse(call.replies[status] ?? z.never(), body);
  };
}

/**
 * A call that is never about the account of another user refuses a request that names one: it may be meant for that account.
 * @throws ApiError
 */
function checkRole(call: Call, ctx: Context, caller: { userId?: number | null; role: Role }): void {
  const role = roleOf(call);
  if (role === null && namesAccount(ctx)) throw new ApiError(otherAccount);
  if (role !== null && typeof caller.userId === "number") requireRole(caller, role);
}

function parseOptional(schema: z.ZodMiniType | undefined, input: unknown, refusal: ErrorReply): unknown {
  return schema === undefined ? undefined : parseInput(schema, input, refusal);
}
