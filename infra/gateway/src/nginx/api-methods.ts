import type { Call } from "@tapthru/proto/http/call";
import { CALLS } from "@tapthru/proto/http/calls";
import { MCP_PATH } from "@tapthru/proto/http/mcp";

type Route = Pick<Call, "path" | "method">;

const ROUTES: readonly Route[] = [
  ...Object.values<Call>(CALLS),
  { path: MCP_PATH, method: "POST" },
  { path: "/api/openapi.json", method: "GET" },
  { path: "/api/docs", method: "GET" },
  { path: "/api/docs/:file", method: "GET" },
];

/**
 * For the http block: `$api_methods`, which the path of the request allows, for requests that nginx itself refuses. The api
 * names them in its own responses.
 */
export function apiMethodsMap(): string {
  const byPattern = Map.groupBy(ROUTES, ({ path }) => patternOf(path));
  const fixedFirst = [...byPattern].sort(([a], [b]) => parameterCount(a) - parameterCount(b));
  return `
map $request_uri $api_methods {
  default "";
  ${fixedFirst.map(([pattern, routes]) => `"~${pattern}" "${methodsOf(routes)}";`).join("\n  ")}
}`;
}

const PARAMETER = "[^/?]+";

function patternOf(path: string): string {
  return `^${path.replaceAll(".", "[.]").replaceAll(/:\w+/g, PARAMETER)}([?]|$)`;
}

function parameterCount(pattern: string): number {
  return pattern.split(PARAMETER).length - 1;
}

function methodsOf(routes: readonly Route[]): string {
  const methods = routes.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set(methods)].sort().join(", ");
}
