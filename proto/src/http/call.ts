import type * as z from "zod/mini";

/**
 * A call of the api: the schemas of its input and of the body of each success status. Errors are text/plain, or
 * application/problem+json where the client accepts it. `params` are the `:name` segments of the path; invalid ones
 * give 404. What the OpenAPI document says about a call beyond that is in proto/src/documentation.
 */
export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  params?: z.ZodMiniType;
  body?: z.ZodMiniType;
  /** Default: JSON_BODY_MAX_BYTES. */
  bodyMaxBytes?: number;
  /** A body that is not JSON, which the handler reads. */
  file?: { type: string; maxBytes: number };
  query?: z.ZodMiniType;
  replies: Record<number, z.ZodMiniType>;
}
