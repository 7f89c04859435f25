interface CountedRoute {
  /** The label that the services use in their own metrics. */
  route: string;
  /** A regular expression for the request line, for nginx's `map`; the first match is used. */
  pattern: string;
  /** Methods for which error counts are exposed as 0 before the first error. */
  methods: readonly string[];
}

/** The routes by which the gateway counts requests. */
export const COUNTED_ROUTES: readonly CountedRoute[] = [
  { route: "/l/:code/outcome", pattern: "^\\S+ /l/[^/? ]+/outcome[? ]", methods: ["POST"] },
  { route: "/l/:code", pattern: "^\\S+ /l/", methods: ["GET", "HEAD"] },
  { route: "/api/generate", pattern: "^\\S+ /api/generate[? ]", methods: ["POST"] },
  { route: "/api/*", pattern: "^\\S+ /api[/? ]", methods: ["GET", "POST", "PATCH", "DELETE"] },
  { route: "site", pattern: "^", methods: ["GET"] },
];
