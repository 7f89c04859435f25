import { hash, randomBytes } from "node:crypto";
import { changing } from "@tapthru/core/platform/postgres/postgres";
import { notFound } from "@tapthru/proto/general-errors";
import { MCP_PATH, OAUTH_ROUTES } from "@tapthru/proto/mcp";
import * as calls from "@tapthru/proto/oauth";
import { API_KEY_PREFIX } from "@tapthru/proto/rules/api-key";
import { paths } from "@tapthru/proto/rules/paths";
import type { Context } from "koa";
import { sql } from "slonik";
import * as z from "zod/mini";
import type { Api } from "../api.ts";
import { type ApiRouter, handlers } from "../callers/handlers.ts";
import { keyHash, keyStart, randomKey } from "../callers/key-text.ts";
import { ApiError } from "../http/errors.ts";
import { createJsonReader, readForm } from "../http/read-json.ts";
import { deleteWhere, insertKey } from "../resources/keys.ts";

const CODE_LIFETIME_MS = 60_000;
const KEY_LIFETIME_SECONDS = 90 * 86_400;

type Routes = typeof OAUTH_ROUTES;
type Binding = Record<"code" | "clientId" | "redirectUri" | "codeChallenge", string>;

/** In the place of the key's hash until the program has it: another client, address or verifier finds no row. */
const boundHash = ({ code, clientId, redirectUri, codeChallenge }: Binding) =>
  keyHash(JSON.stringify([code, clientId, redirectUri, codeChallenge]));

export const oauthHandlers = handlers(calls, {
  /** The row is a key from the start, so that what ends keys also ends the code. */
  allowConnection: async (api, { caller, body }) => {
    const client = calls.findClient(body.clientId, body.redirectUri);
    if (client === null) throw new ApiError(notFound);
    const code = randomBytes(32).toString("base64url");
    const expiresAt = new Date(Date.now() + CODE_LIFETIME_MS).toISOString();
    const key = { name: client.name, scopes: body.scopes, expiresAt };
    await insertKey(api, caller, key, [boundHash({ ...body, code }), API_KEY_PREFIX]);
    return { code };
  },
});

const TokenRequest = z.object({
  grant_type: z.literal("authorization_code"),
  code: z.string(),
  client_id: z.string(),
  redirect_uri: z.string(),
  code_verifier: z.string().check(z.regex(/^[\w.~-]{43,128}$/)),
  resource: z.optional(z.string()),
});

/** The calls of programs, without a session. Nothing is stored for a program that registers. */
export function oauthRoutes(router: ApiRouter, api: Api) {
  const { db, publicAccess, publicBaseUrl } = api;
  const readJson = createJsonReader();
  const resource = publicBaseUrl + MCP_PATH;

  const route = ({ method, path }: Routes[keyof Routes], respond: (ctx: Context) => unknown) => {
    router.allowKeys(method, path);
    router.register(path, [method], async (ctx: Context) => {
      await publicAccess(ctx);
      ctx.body = await respond(ctx);
    });
  };

  const protectedResource = {
    resource,
    authorization_servers: [publicBaseUrl],
    scopes_supported: calls.ASSISTANT_SCOPES,
  };
  route(OAUTH_ROUTES.resource, () => protectedResource);
  route(OAUTH_ROUTES.resourceOfMcp, () => protectedResource);
  route(OAUTH_ROUTES.server, () => ({
    issuer: publicBaseUrl,
    authorization_endpoint: publicBaseUrl + paths.connect,
    token_endpoint: publicBaseUrl + OAUTH_ROUTES.token.path,
    registration_endpoint: publicBaseUrl + OAUTH_ROUTES.register.path,
    scopes_supported: calls.ASSISTANT_SCOPES,
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
  }));

  route(OAUTH_ROUTES.register, async (ctx) => {
    const { data, error } = calls.OAuthClient.safeParse(await ctx.state.releaseSlotDuring(() => readJson(ctx)));
    const isUri = error?.issues[0]?.path[0] === "redirect_uris";
    if (data === undefined) return refuse(ctx, isUri ? "invalid_redirect_uri" : "invalid_client_metadata");
    ctx.status = 201;
    return {
      client_id: calls.clientIdOf(data),
      ...data,
      grant_types: ["authorization_code"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    };
  });

  route(OAUTH_ROUTES.token, async (ctx) => {
    const form = await ctx.state.releaseSlotDuring(() => readForm(ctx));
    const { data, error } = TokenRequest.safeParse(form);
    const isGrant = error?.issues[0]?.path[0] === "grant_type";
    if (data === undefined) return refuse(ctx, isGrant ? "unsupported_grant_type" : "invalid_request");
    if (data.resource && data.resource !== resource) return refuse(ctx, "invalid_target");
    const { code, client_id: clientId, redirect_uri: redirectUri } = data;
    const codeChallenge = hash("sha256", data.code_verifier, "base64url");
    const key = randomKey();
    const bound = sql.binary(boundHash({ code, clientId, redirectUri, codeChallenge }));
    const row = await db.maybeOne(changing(z.object({ scopes: z.array(z.string()) }))`
      UPDATE api_keys SET code_hash = key_hash, key_hash = ${sql.binary(keyHash(key))}, start = ${keyStart(key)},
        expires_at = now() + make_interval(secs => ${KEY_LIFETIME_SECONDS})
      WHERE key_hash = ${bound} AND expires_at > now()
      RETURNING scopes
    `);
    if (row === null) {
      // Of a code that is used twice, one use is a thief's.
      await deleteWhere(db, sql.fragment`code_hash = ${bound}`);
      return refuse(ctx, "invalid_grant");
    }
    const scope = row.scopes.join(" ");
    return { access_token: key, token_type: "Bearer", expires_in: KEY_LIFETIME_SECONDS, scope };
  });
}

/** Responds with an error of RFC 6749 or RFC 7591. */
function refuse(ctx: Context, error: string): { error: string } {
  ctx.status = 400;
  return { error };
}
