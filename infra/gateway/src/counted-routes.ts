interface CountedRoute {
  /** As the services name it in their own metrics. */
  route: string;
  /** Of a request line, as nginx's `map` takes it; the first that matches counts. */
  pattern: string;
  /** Those that it is called with, for errors that are shown as 0. */
  methods: readonly string[];
}

/** By what the gateway counts requests. */
export const COUNTED_ROUTES: readonly CountedRoute[] = [
  { route: "/l/:code/outcome", pattern: "^\\S+ /l/[^/? ]+/outcome[? ]", methods: ["POST"] },
  { route: "/l/:code", pattern: "^\\S+ /l/", methods: ["GET", "HEAD"] },
  { route: "/api/generate", pattern: "^\\S+ /api/generate[? ]", methods: ["POST"] },
  { route: "/api/*", pattern: "^\\S+ /api[/? ]", methods: ["GET", "POST", "PATCH", "DELETE"] },
  { route: "site", pattern: "^", methods: ["GET"] },
];
