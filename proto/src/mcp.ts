/** Messages are those of the protocol. */
export const MCP_PATH = "/api/mcp";

/** By which a program that knows only the address of MCP gets a key: RFC 9728, 8414, 7591 and 6749. */
export const OAUTH_PATHS = {
  resource: "/.well-known/oauth-protected-resource",
  resourceOfMcp: `/.well-known/oauth-protected-resource${MCP_PATH}`,
  server: "/.well-known/oauth-authorization-server",
  register: "/api/oauth/clients",
  token: "/api/oauth/token",
} as const;

/** Routes that are no calls of the api. No reply depends on a cookie, so that pages of any site may send and read them. */
export const ASSISTANT_ROUTES = [
  { method: "POST", path: MCP_PATH },
  { method: "GET", path: OAUTH_PATHS.resource },
  { method: "GET", path: OAUTH_PATHS.resourceOfMcp },
  { method: "GET", path: OAUTH_PATHS.server },
  { method: "POST", path: OAUTH_PATHS.register },
  { method: "POST", path: OAUTH_PATHS.token },
] as const;
