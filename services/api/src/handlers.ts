import type { Readable } from "node:stream";
import type { Access, Call } from "@tapthru/proto/http/call";
import type { CallsOf } from "@tapthru/proto/http/calls";
import type { Context } from "koa";
import type * as z from "zod/mini";
import type { Api } from "./api.ts";
import type { CallerOf, Guard } from "./http/guards.ts";
import { type ApiRouter, mountWithGuard, type TextReply } from "./http/mount.ts";

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

interface Input<C extends Call, Caller> {
  ctx: Context;
  caller: Caller;
  /** Of the caller. */
  userId: Caller extends { userId: infer Id } ? Id : undefined;
  params: Output<C["params"]>;
  query: Output<C["query"]>;
  body: Output<C["body"]>;
}

type Body<Schema> = Schema extends z.ZodMiniType
  ? Listed<z.input<Schema>> | Readable | TextReply
  : never;
type Listed<Value> = Value extends (infer Item)[] ? readonly Item[] : Value;

/** A reply of a call with several statuses. */
class Reply<Status, Value> {
  readonly status: Status;
  readonly body: Value;

  constructor(status: Status, body: Value) {
    this.status = status;
    this.body = body;
  }
}

export const reply = <Status extends number, Value>(status: Status, body: Value) =>
  new Reply(status, body);

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

/** A handler of a call whose guard is not one that several calls have. */
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
      const isGuarded = entry instanceof Guarded;
      const guard: Guard<unknown> = isGuarded
        ? entry.guardOf(app)
        : router.guardOf(call as Call & { access: NonNullable<Access> });
      const handler = (isGuarded ? entry.handler : entry) as Handler<Call, unknown, App>;
      const [onlyStatus] = Object.keys(call.replies);
      mountWithGuard(router, call, guard, async (ctx, input) => {
        const { userId } = Object(input.caller) as { userId: never };
        const result = await handler(app, { ...input, ctx, userId });
        return result instanceof Reply ? result : { status: Number(onlyStatus), body: result };
      });
    }
  };
}
