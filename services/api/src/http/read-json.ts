import { parse as parseForm } from "node:querystring";
import { bodyTooLarge, malformedBody, unsupportedMediaType } from "@tapthru/proto/general-errors";
import { JSON_BODY_MAX_BYTES } from "@tapthru/proto/rules/limits";
import type { Context } from "koa";
import { ApiError } from "./errors.ts";

/** Refuses invalid UTF-8, which would otherwise become U+FFFD in a link. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Rejects other types, so that a cross-site form cannot post. */
export const createJsonReader = (maxBytes: number = JSON_BODY_MAX_BYTES) =>
  createReader("application/json", parseJson, maxBytes);

/** Only for calls that depend on no cookie. */
export const readForm = createReader("application/x-www-form-urlencoded", parseForm, JSON_BODY_MAX_BYTES);

function createReader(type: string, parse: (text: string) => unknown, maxBytes: number) {
  return async (ctx: Context): Promise<unknown> => {
    if (ctx.is(type) !== type) {
      throw new ApiError(unsupportedMediaType);
    }
    if ((ctx.request.length ?? 0) > maxBytes) throw new ApiError(bodyTooLarge);
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      for await (const chunk of ctx.req as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > maxBytes) throw new ApiError(bodyTooLarge);
        chunks.push(chunk);
      }
      return parse(UTF8.decode(Buffer.concat(chunks)));
    } catch (error) {
      // The text is not UTF-8 or JSON, or the client has disconnected.
      throw error instanceof ApiError ? error : new ApiError(malformedBody);
    }
  };
}

/** @throws SyntaxError unless the text is an object or array, without a key that would change a prototype when it is copied */
function parseJson(text: string): unknown {
  if (text === "") return {};
  const maySetPrototype = text.includes("__proto__") || text.includes("\\u");
  const value: unknown = maySetPrototype ? JSON.parse(text, requireOwnKey) : JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new SyntaxError();
  return value;
}

function requireOwnKey(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new SyntaxError();
  return value;
}
