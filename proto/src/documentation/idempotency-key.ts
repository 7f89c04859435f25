import * as z from "zod/mini";
import { IDEMPOTENCY_KEY_PATTERN } from "../http/generate.ts";

/** The header of requests that create links. */
export const IDEMPOTENCY_KEY = {
  description:
    "Makes a retry safe: for 24 hours a request with the same key returns the same link. A UUID, or 22 to 200 characters of base64url.",
  schema: z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)),
  example: "0192f3a1-7c44-7c1e-9a51-2f8d6b3e4c70",
};
