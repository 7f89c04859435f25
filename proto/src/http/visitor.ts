import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** Gives the caller a claim cookie where there is none, so that a lost answer loses no claim. */
export const visitor = {
  method: "GET",
  path: "/api/visitor",
  replies: { 200: z.object({}) },
} as const satisfies Call;
