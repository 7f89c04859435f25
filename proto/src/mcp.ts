/** The endpoint of the Model Context Protocol. It is not a `Call`: its messages are those of the protocol. */
export const MCP_PATH = "/api/mcp";

/** Endpoints by which a program that knows only that address gets a key. No reply depends on a cookie: pages of any site may read them. */
export const OAUTH_ROUTES = {
  resource: { method: "GET", path: "/.well-known/oauth-protected-resource" },
  resourceOfMcp: { method: "GET", path: `/.well-known/oauth-protected-resource${MCP_PATH}` },
  server: { method: "GET", path: "/.well-known/oauth-authorization-server" },
  register: { method: "POST", path: "/api/oauth/clients" },
  token: { method: "POST", path: "/api/oauth/token" },
} as const;
