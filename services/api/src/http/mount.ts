import type { Router } from "@koa/router";
import type { Call } from "@tapthru/proto/http/call";
import { messages } from "@tapthru/proto/rules/messages";
import type { Context } from "koa";
import * as z from "zod/mini";
import { ApiError } from "../errors.ts";
import { jsonBody } from "./json-body.ts";

/** Other names are not worth repeating: they may be as long as the body, and hold anything. */
const FIELD_NAME = /^\w{1,40}$/;

type Body<C extends Call> = C["body"] extends z.ZodMiniType ? z.output<C["body"]> : undefined;

/** Serves a call of proto: its body is parsed before the handler, its reply stripped after it. */
export function mount<C extends Call, Status extends keyof C["replies"] & number>(
  router: Router,
  call: C,
  handler: (
    ctx: Context,
    body: Body<C>,
  ) => Promise<{ status: Status; body: z.input<C["replies"][Status]> }>,
): void {
  const { body: bodySchema, replies } = call;
  const middleware = bodySchema === undefined ? [] : [jsonBody];
  router.register(
    call.path,
    [call.method],
    [
      ...middleware,
      async (ctx: Context) => {
        const body = bodySchema === undefined ? undefined : parseBody(bodySchema, ctx.request.body);
        const answer = await handler(ctx, body as Body<C>);
        ctx.status = answer.status;
        ctx.body = z.parse(replies[ctx.status] ?? z.never(), answer.body);
      },
    ],
  );
}

function parseBody(schema: z.ZodMiniType, body: unknown): unknown {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid-body", sentence(parsed.error.issues[0]));
}

function sentence(issue: z.core.$ZodIssue | undefined): string {
  const isUnexpected = issue?.code === "unrecognized_keys";
  const field = isUnexpected ? issue.keys[0] : issue?.path[0];
  if (typeof field !== "string" || !FIELD_NAME.test(field)) return messages.malformedRequest;
  return isUnexpected ? messages.unexpectedField(field) : messages.malformedField(field);
}
