import bodyParser from "@koa/bodyparser";
import { JSON_BODY_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";

/**
 * Creates a reader of JSON bodies in UTF-8. It rejects other types, so that a cross-site form cannot post.
 * @param maxBytes maximum size of the body
 */
export function createJsonReader(
  maxBytes: number = JSON_BODY_MAX_BYTES,
): (ctx: Context) => Promise<unknown> {
  const parse = bodyParser({
    enableTypes: ["json"],
    parsedMethods: ["POST", "PUT", "PATCH", "DELETE"],
    jsonLimit: maxBytes,
    onError(error) {
      if ("status" in error && error.status === 413) {
        throw new ApiError("body-too-large");
      }
      throw malformed();
    },
  });
  return async (ctx) => {
    if (ctx.is("application/json") !== "application/json") {
      throw new ApiError("unsupported-media-type");
    }
    // The parser reads nothing if the client has disconnected.
    if (ctx.req.closed) throw malformed();
    await parse(ctx, async () => {});
    // The parser replaces invalid UTF-8 with U+FFFD, which would otherwise be stored in a link.
    if (ctx.request.rawBody.includes("\uFFFD")) throw malformed();
    return ctx.request.body;
  };
}

function malformed(): ApiError {
  return new ApiError("malformed-body");
}
