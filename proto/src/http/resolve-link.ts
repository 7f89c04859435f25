import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** Follows a short Amazon link to the store page it leads to. */
export const resolveLink = {
  method: "POST",
  path: "/api/resolve-link",
  body: z.strictObject({ url: z.string() }),
  replies: { 200: z.object({ resolvedUrl: z.string() }) },
} as const satisfies Call;
