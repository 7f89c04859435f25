import bodyParser from "@koa/bodyparser";
import { JSON_BODY_MAX_BYTES } from "@tapthru/proto/rules/limits";
import { messages } from "@tapthru/proto/rules/messages";
import type { Middleware } from "koa";
import { ApiError } from "../errors.ts";

const parse = bodyParser({
  enableTypes: ["json"],
  jsonLimit: JSON_BODY_MAX_BYTES,
  onError(error) {
    if ("status" in error && error.status === 413) {
      throw new ApiError("body-too-large", messages.bodyTooLarge);
    }
    throw new ApiError("malformed-body", messages.malformedRequest);
  },
});

/** Reads a JSON body of at most 16 KiB; no other type is read, so a form cannot post. */
export const jsonBody: Middleware = async (ctx, next) => {
  if (ctx.is("application/json") !== "application/json") {
    throw new ApiError("unsupported-media-type", messages.jsonExpected);
  }
  await parse(ctx, next);
};
