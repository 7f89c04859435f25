type Area = "link" | "outcome" | "api" | "site";

export interface CountedRoute {
  /** The label that the services use in their own metrics. */
  route: string;
  area: Area;
  /** A regular expression for the request line, for nginx's `map`; the first match is used. */
  pattern: string;
  /** Methods for which error counts are exposed as 0 before the first error. */
  methods: readonly string[];
}

/** The routes by which the gateway counts requests. Their areas determine how it reports errors. */
export const COUNTED_ROUTES: readonly CountedRoute[] = [
  {
    route: "/l/:code/outcome",
    area: "outcome",
    pattern: "^\\S+ /l/[^/? ]+/outcome[? ]",
    methods: ["POST"],
  },
  { route: "/l/:code", area: "link", pattern: "^\\S+ /[lL]/", methods: ["GET", "HEAD"] },
  { route: "/api/generate", area: "api", pattern: "^\\S+ /api/generate[? ]", methods: ["POST"] },
  {
    route: "/api/*",
    area: "api",
    pattern: "^\\S+ /(api|rest|[.]well-known/oauth-[a-z-]+)[/? ]",
    methods: ["GET", "POST", "PUT", "PATCH", "DELETE"],
  },
  { route: "site", area: "site", pattern: "^", methods: ["GET"] },
];

/** The routes of own domains, by their names on the site. */
export const COUNTED_OWN_ROUTES: readonly Pick<CountedRoute, "route" | "pattern">[] = [
  { route: "/l/:code/outcome", pattern: "^\\S+ /[^/? ]+/outcome[? ]" },
  { route: "site", pattern: "^\\S+ /(robots[.]txt|favicon[.]ico|apple-touch-icon|[.]well-known/)" },
  { route: "/l/:code", pattern: "^" },
];
