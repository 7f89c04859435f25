import type { Header } from "@tapthru/proto/call";

const describe = (header: Header, required: boolean) => ({
  ...header,
  required,
  schema: { type: "string" },
});

export const HEADERS = {
  "X-Request-Id": describe(
    {
      description: "Names the request. Quote it when you report a problem.",
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
      example: '"otherApi-address";q=600;w=60, "apiKey-caller";q=300;w=60, "otherApi-caller";q=600;w=60',
    },
    false,
  ),
  RateLimit: describe(
    {
      description: "The state of these limits: `r` requests remain, and the count starts again in `t` seconds.",
      example: '"otherApi-address";r=599;t=60, "apiKey-caller";r=299;t=60, "otherApi-caller";r=599;t=60',
    },
    false,
  ),
  "Retry-After": describe({ description: "The seconds to wait before the next request.", example: "5" }, true),
  "WWW-Authenticate": describe(
    {
      description: "How to authenticate (RFC 9110): with a token or an API key.",
      example: "Bearer",
    },
    true,
  ),
};

export const COMMON_HEADERS = ["X-Request-Id", "Cache-Control", "RateLimit-Policy", "RateLimit"] as const;

export function headerReferences(names: readonly (keyof typeof HEADERS)[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }] as const));
}
