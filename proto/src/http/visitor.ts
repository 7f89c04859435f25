import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** Sets a claim cookie if there is none, before the first create: a lost response then loses no claim. */
export const visitor = {
  method: "GET",
  path: "/api/visitor",
  access: "anyone",
  replies: { 200: z.object({}) },
} as const satisfies Call;
