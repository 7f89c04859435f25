import { hash } from "node:crypto";
import { IDEMPOTENCY_KEY_PATTERN } from "@tapthru/proto/http/generate";
import type { Context } from "koa";
import { ApiError } from "../errors.ts";

/** @throws ApiError if the header is malformed */
export function readIdempotencyKey(ctx: Context): string | undefined {
  const key = ctx.headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key === "string" && IDEMPOTENCY_KEY_PATTERN.test(key)) return key;
  throw new ApiError("bad-idempotency-key");
}

/**
 * What is stored of a key. Each user has their own keys; visitors without an account share theirs, because the first request
 * of one has no claim token yet.
 */
export function idempotencyKeyHash(key: string, userId: number | null): Buffer {
  return hash("sha256", userId === null ? key : `user:${userId}:${key}`, "buffer");
}
