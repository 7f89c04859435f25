import type { Router } from "@koa/router";
import type { Call } from "@tapthru/proto/http/call";
import { messages } from "@tapthru/proto/rules/messages";
import type { Context } from "koa";
import * as z from "zod/mini";
import { ApiError, type ErrorCode } from "../errors.ts";
import { jsonBody } from "./json-body.ts";

/** Other names are not worth repeating: they may be as long as the body, and hold anything. */
const FIELD_NAME = /^\w{1,40}$/;

type Output<Schema> = Schema extends z.ZodMiniType ? z.output<Schema> : undefined;

interface Input<C extends Call> {
  params: Output<C["params"]>;
  body: Output<C["body"]>;
  query: Output<C["query"]>;
}

/** Serves a call of proto: its input is parsed before the handler, its reply stripped after it. */
export function mount<C extends Call, Status extends keyof C["replies"] & number>(
  router: Router,
  call: C,
  handler: (
    ctx: Context,
    input: Input<C>,
  ) => Promise<{ status: Status; body: z.input<C["replies"][Status]> }>,
): void {
  const { replies } = call;
  const middleware = call.body === undefined ? [] : [jsonBody];
  router.register(
    call.path,
    [call.method],
    [
      ...middleware,
      async (ctx: Context) => {
        const answer = await handler(ctx, {
          params: parse(call.params, ctx.params, "not-found") as Output<C["params"]>,
          body: parse(call.body, ctx.request.body, "invalid-body") as Output<C["body"]>,
          query: parse(call.query, ctx.query, "invalid-query") as Output<C["query"]>,
        });
        ctx.status = answer.status;
        ctx.body = z.parse(replies[ctx.status] ?? z.never(), answer.body);
      },
    ],
  );
}

function parse(schema: z.ZodMiniType | undefined, given: unknown, code: ErrorCode): unknown {
  if (schema === undefined) return undefined;
  const parsed = z.safeParse(schema, given, { error: sentence });
  if (parsed.success) return parsed.data;
  throw new ApiError(code, parsed.error.issues[0]?.message ?? messages.malformedRequest);
}

/** For rules that have no words of their own. */
function sentence(issue: z.core.$ZodRawIssue): string {
  const isUnexpected = issue.code === "unrecognized_keys";
  const field = isUnexpected ? issue.keys[0] : issue.path?.[0];
  if (typeof field !== "string" || !FIELD_NAME.test(field)) return messages.malformedRequest;
  return isUnexpected ? messages.unexpectedField(field) : messages.malformedField(field);
}
