import * as z from "zod/mini";
import type { Call } from "./call.ts";

/** The header with the solution of a challenge. */
export const PROOF_HEADER = "Altcha";

/**
 * A challenge of altcha. Its solution, in the header `Altcha` of the next POST /api/generate, is accepted once, while visitors
 * without an account otherwise get `proof-of-work-required` because they create too many links together.
 */
export const getChallenge = {
  method: "GET",
  path: "/api/proof-of-work",
  access: "anyone",
  limit: "generate",
  replies: { 200: z.record(z.string(), z.unknown()) },
} as const satisfies Call;
