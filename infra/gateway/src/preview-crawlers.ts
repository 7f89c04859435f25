import {
  PREVIEW_CRAWLER_NAMES,
  PREVIEW_CRAWLER_STARTS,
} from "@tapthru/proto/rules/agents/crawlers";

/**
 * `$wants_card` on /redirect, for the http block: the crawlers that also the redirect service takes for
 * link previews, and so the very names. Agents are looked at there only.
 */
export function previewCrawlerMap(): string {
  const patterns = [
    ...PREVIEW_CRAWLER_STARTS.map((start) => `^${literal(start)}`),
    ...PREVIEW_CRAWLER_NAMES.map(literal),
  ];
  return `
# Volatile: the address changes on the way, to the card and to error pages.
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
 * The card of /redirect, for the server block.
 * @param service the redirect service, as proxy_pass names it
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

/** As nginx's regular expressions and quoted arguments read it. */
function literal(text: string): string {
  return text.replace(/[^A-Za-z0-9/ -]/g, (character) => `[${character}]`);
}
