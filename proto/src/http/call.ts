import type * as z from "zod/mini";

/**
 * One call of the api: what it takes and what each success status gives. Failures are text/plain.
 * `params` are the path's `:name` parts; where they do not hold, the answer is 404.
 */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  params?: z.ZodMiniType;
  body?: z.ZodMiniType;
  query?: z.ZodMiniType;
  replies: Record<number, z.ZodMiniType>;
}
