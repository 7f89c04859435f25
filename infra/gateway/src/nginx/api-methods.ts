import type { Call } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import { MCP_PATH } from "@tapthru/proto/mcp";
import * as shlink from "@tapthru/proto/shlink";

type Route = Pick<Call, "path" | "method">;

const ROUTES: readonly Route[] = [
  ...Object.values<Call>(CALLS),
  ...Object.values<Call | string>(shlink).filter((each) => typeof each !== "string"),
  { path: MCP_PATH, method: "POST" },
  { path: "/api/openapi.json", method: "GET" },
  { path: "/api/docs", method: "GET" },
  { path: "/api/docs/:file", method: "GET" },
];

const PARAMETER = "[^/?]+";

/** The methods of each path of the api, as lines of a map of nginx. */
export function apiMethods(): string {
  const byPattern = Map.groupBy(ROUTES, ({ path }) => patternOf(path));
  const fixedFirst = [...byPattern].sort(([a], [b]) => parameterCount(a) - parameterCount(b));
  return fixedFirst.map(([pattern, routes]) => `"~${pattern}" "${methodsOf(routes)}";`).join("\n");
}

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
