import * as z from "zod/mini";
import { IDEMPOTENCY_KEY_PATTERN } from "../http/generate.ts";
import type { Header } from "./call-documentation.ts";

const describe = (header: Header, required: boolean) => ({
  ...header,
  required,
  schema: { type: "string" },
});

/** Headers of many replies, by name. */
export const HEADERS = {
  "X-Request-Id": describe(
    {
      description: "Names the request. Mention it when you report a problem.",
      example: "4f1d0c6b2a9e4d53b1c7f0a8e6d25c31",
    },
    true,
  ),
  "Cache-Control": describe(
    {
      description: "Replies are for the caller alone and must not be stored.",
      example: "no-store",
    },
    true,
  ),
  "RateLimit-Policy": describe(
    {
      description:
        "The limits that counted this request, as a list of structured fields (draft-ietf-httpapi-ratelimit-headers-10): `q` requests in `w` seconds. `…-address` counts all requests of the network address, `…-caller` those of the API key (`apiKey-caller`), of the user, or of the browser without a user. Absent if nothing was counted.",
      example:
        '"otherApi-address";q=600;w=60, "apiKey-caller";q=300;w=60, "otherApi-caller";q=600;w=60',
    },
    false,
  ),
  RateLimit: describe(
    {
      description:
        "The state of these limits: `r` requests remain, and the count starts again in `t` seconds.",
      example:
        '"otherApi-address";r=599;t=60, "apiKey-caller";r=299;t=60, "otherApi-caller";r=599;t=60',
    },
    false,
  ),
  "Retry-After": describe(
    { description: "The seconds to wait before the next request.", example: "5" },
    true,
  ),
  "WWW-Authenticate": describe(
    {
      description: "How to authenticate (RFC 9110): with a token or an API key.",
      example: "Bearer",
    },
    true,
  ),
};

/** Headers of all replies. */
export const COMMON_HEADERS = [
  "X-Request-Id",
  "Cache-Control",
  "RateLimit-Policy",
  "RateLimit",
] as const;

export function headerReferences(names: readonly (keyof typeof HEADERS)[]) {
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const),
  );
}

/** The header of requests that create links. */
export const IDEMPOTENCY_KEY = {
  description:
    "Makes a retry safe: for 24 hours a request with the same key returns the same link. A UUID, or 22 to 200 characters of base64url.",
  schema: z.string().check(z.regex(IDEMPOTENCY_KEY_PATTERN)),
  example: "0192f3a1-7c44-7c1e-9a51-2f8d6b3e4c70",
};
