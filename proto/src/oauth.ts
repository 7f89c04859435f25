import * as z from "zod/mini";
import { resource } from "./call.ts";
import { KEY_NAME_MAX_LENGTH, keyName } from "./fields.ts";
import { notFound } from "./general-errors.ts";
import { scopeRequired, tooManyKeys } from "./keys.ts";
import { isTrustedName } from "./rules/slug.ts";

/** The scopes of the tools of MCP. */
export const ASSISTANT_SCOPES = ["links:read", "links:write", "clicks:read", "earnings:read"] as const;

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/** With a plain name, which people and URL parsers read in one way. */
const HTTPS = /^https:\/\/\w[\w-]*(?:\.[\w-]+)*(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Addresses at which no other program can receive a code: of https, and of the computer of the user. Without the characters that
 * URL parsers read in different ways. Not `z.url`, which removes some of them.
 */
const RedirectUri = z.string().check(
  z.maxLength(300),
  z.regex(/^[!"$-[\]-~]+$/),
  z.refine((text) => (LOOPBACK.test(text) || HTTPS.test(text)) && URL.canParse(text)),
);

/** The page shows it in quotation marks. */
const shortened = (name: string) =>
  name
    .slice(0, KEY_NAME_MAX_LENGTH)
    .replace(/\p{Cs}$/u, "")
    .replaceAll(/["“-‟«»]/g, "'");

/** A program's description of itself (RFC 7591). Anyone can say anything. */
export const OAuthClient = z.object({
  client_name: z._default(
    z.pipe(z.pipe(z.string(), z.transform(shortened)), keyName.check(z.refine((name) => !isTrustedName(name)))),
    "Assistant",
  ),
  redirect_uris: z.array(RedirectUri).check(z.minLength(1), z.maxLength(10)),
});
type OAuthClient = z.infer<typeof OAuthClient>;

/** The id has what the program said, so that nothing is stored for it. It proves nothing. */
export const clientIdOf = (client: OAuthClient): string => encodeURIComponent(JSON.stringify(client));

/** @returns null unless the id is one of `clientIdOf` and has the address: exactly, except for the port on the user's computer (RFC 8252) */
export function findClient(clientId: string, redirectUri: string): { name: string; host: string } | null {
  const client = OAuthClient.safeParse(readJson(clientId)).data;
  const withoutPort = (text: string) => text.replace(LOOPBACK, "$1");
  const isKnown = client?.redirect_uris.some((known) => withoutPort(known) === withoutPort(redirectUri));
  return client && isKnown && RedirectUri.safeParse(redirectUri).success
    ? { name: client.client_name, host: new URL(redirectUri).host }
    : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(decodeURIComponent(text));
  } catch {
    return null;
  }
}

const EXAMPLE_CLIENT = { client_name: "Claude", redirect_uris: ["https://claude.ai/api/mcp/auth_callback"] };

const connections = resource("API keys", {
  reads: "session",
  writes: "session",
  roles: { reads: "viewer", writes: "viewer" },
});

export const allowConnection = connections.post("/api/oauth/consents", {
  needsConfirmedEmail: true,
  summary: "Allow a program to connect",
  description:
    "Sent by the page `/connect`, to which programs such as assistants lead their user by OAuth 2.1. The program gets an API key for the code within a minute, once, and only with the verifier of the challenge. The key is valid for 90 days.",
  limit: "ownAccount",
  body: z.strictObject({
    clientId: z.string(),
    redirectUri: z.string(),
    codeChallenge: z.string().check(z.regex(/^[\w-]{43}$/)),
    scopes: z
      .array(z.enum(ASSISTANT_SCOPES))
      .check(z.minLength(1, scopeRequired), z.maxLength(ASSISTANT_SCOPES.length)),
  }),
  replies: { 200: z.object({ code: z.string() }) },
  errors: [notFound, tooManyKeys],
  records: "key.created",
  example: {
    body: {
      clientId: clientIdOf(EXAMPLE_CLIENT),
      redirectUri: "https://claude.ai/api/mcp/auth_callback",
      codeChallenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      scopes: ["links:read", "links:write"],
    },
    replies: { 200: { code: "q".repeat(43) } },
  },
});
