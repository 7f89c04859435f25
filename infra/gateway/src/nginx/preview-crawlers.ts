import {
  PREVIEW_CRAWLER_NAMES,
  PREVIEW_CRAWLER_STARTS,
} from "@tapthru/proto/rules/agents/crawlers";

/**
 * For the http block: `$wants_card` is set if a link-preview crawler requests /redirect. The redirect service uses the
 * same list of names. On other paths the user agent is ignored.
 */
export function previewCrawlerMap(): string {
  const patterns = [
    ...PREVIEW_CRAWLER_STARTS.map((start) => `^${literalPattern(start)}`),
    ...PREVIEW_CRAWLER_NAMES.map(literalPattern),
  ];
  return `
# Volatile, because internal redirects to the card and to error pages change $uri.
map $uri $agent_on_redirect {
  volatile;
  default "";
  ~^/redirect/?$ $http_user_agent;
}
map $agent_on_redirect $wants_card {
  volatile;
  default "";
  "" "";
  ${patterns.map((pattern) => `"~*${pattern}" 1;`).join("\n  ")}
}`;
}

/**
 * The preview card of /redirect, for the server block.
 * @param service URL of the redirect service for proxy_pass, without a path
 */
export function redirectCardLocation(service: string): string {
  return `
if ($wants_card) {
  rewrite ^ /_card last;
}
location = /_card {
  internal;
  if ($request_method !~ ^(GET|HEAD)$) {
    return 405;
  }
  if ($has_body) {
    return 413;
  }
  gzip off;
  proxy_pass ${service}/redirect$is_args$args;
}`;
}

/** Escapes text for a regular expression in a quoted nginx argument. */
function literalPattern(text: string): string {
  return text.replace(/[^A-Za-z0-9/ -]/g, (character) => `[${character}]`);
}
