import type * as z from "zod/mini";
import type { ApiKeyScope } from "../rules/api-key.ts";
import type { RATE_LIMITS_PER_MINUTE } from "../rules/limits.ts";

/**
 * Who may call: anyone; a user by session; a user by session or by an API key with the scope. `operator` is a scope of users who are
 * operators, and other users get 404.
 */
export type Access = "anyone" | "session" | ApiKeyScope;
export type LimitName = keyof typeof RATE_LIMITS_PER_MINUTE;

/**
 * A call of the api: the schemas of its input and of the body of each success status. Errors are text/plain, or
 * application/problem+json where the client accepts it. `params` are the `:name` segments of the path; invalid ones
 * give 404. What the OpenAPI document says about a call beyond that is in proto/src/documentation.
 */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** Absent where the handler's own guard decides. */
  access?: Access;
  /** The limit that counts the requests, with `access`. Default: otherApi. */
  limit?: LimitName;
  params?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** Default: JSON_BODY_MAX_BYTES. */
  bodyMaxBytes?: number;
  /** A body that is not JSON, which the handler reads. */
  file?: { type: string; maxBytes: number };
  query?: z.ZodMiniType;
  replies: Record<number, z.ZodMiniType>;
}
