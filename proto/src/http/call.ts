import type * as z from "zod/mini";

/** One call of the api: what it takes and what each success status gives. Failures are text/plain. */
export interface Call {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  body?: z.ZodMiniType;
  query?: z.ZodMiniType;
  replies: Record<number, z.ZodMiniType>;
}
