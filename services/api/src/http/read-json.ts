import bodyParser from "@koa/bodyparser";
import { JSON_BODY_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";

const parse = bodyParser({
  enableTypes: ["json"],
  parsedMethods: ["POST", "PUT", "PATCH", "DELETE"],
  jsonLimit: JSON_BODY_MAX_BYTES,
  onError(error) {
    if ("status" in error && error.status === 413) {
      throw new ApiError("body-too-large");
    }
    throw malformed();
  },
});

/** Reads a JSON body of at most 16 KiB in UTF-8. Rejects other types, so that a cross-site form cannot post. */
export async function readJson(ctx: Context): Promise<unknown> {
  if (ctx.is("application/json") !== "application/json") {
    throw new ApiError("unsupported-media-type");
  }
  await parse(ctx, async () => {});
  // The parser replaces invalid UTF-8 with U+FFFD, which would otherwise be stored in a link.
  if (ctx.request.rawBody.includes("\uFFFD")) throw malformed();
  return ctx.request.body;
}

function malformed(): ApiError {
  return new ApiError("malformed-body");
}
