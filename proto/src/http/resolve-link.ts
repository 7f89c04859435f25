import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** Resolves a short Amazon link to the address of its store page. */
export const resolveLink = {
  method: "POST",
  path: "/api/resolve-link",
  access: "anyone",
  limit: "resolveLink",
  body: z.strictObject({ url: z.string() }),
  replies: { 200: z.object({ resolvedUrl: z.string() }) },
} as const satisfies Call;
