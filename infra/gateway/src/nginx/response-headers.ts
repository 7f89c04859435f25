import { DATA_POLICY, spaPolicy, staticPagePolicy } from "./content-security-policy.ts";
import { SMALL_PAGE_STYLE } from "./small-page.ts";

const UNUSED_FEATURES = [
  "camera",
  "display-capture",
  "geolocation",
  "microphone",
  "payment",
  "usb",
];

/** The headers of every response, with their values unless a service sets them. */
function defaultHeaders(publicUrl: URL): Record<string, string> {
  return {
    "Cache-Control": "$default_cache_control",
    "Content-Security-Policy": "$default_policy",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "$resource_policy",
    "Permissions-Policy": UNUSED_FEATURES.map((name) => `${name}=()`).join(", "),
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Content-Type-Options": "nosniff",
    ...(publicUrl.protocol === "https:" && {
      "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
    }),
  };
}

/**
 * The headers of every response. nginx evaluates each variable of an `add_header`, also if its value is empty, so the
 * location of short links has these only. No other location may use `add_header`: nginx would drop all headers of the
 * http block there.
 */
export function commonHeaders(publicUrl: URL): string {
  const names = Object.keys(defaultHeaders(publicUrl));
  return `${names.map((name) => `add_header ${name} ${addedVariable(name)} always;`).join("\n")}
add_header X-Request-Id $request_id always;`;
}

/**
 * The headers of responses, for the http block. A header that a service sets is kept.
 * @param indexHtml the SPA's page, or null if Vite serves it, which no strict policy allows
 */
export function responseHeaders(publicUrl: URL, indexHtml: string | null): string {
  return `
# After an internal redirect $uri is the file that is served.
map $uri $resource_kind {
  default page;
  ~^/_errors/ error;
  /offline.html error;
  ~^/assets/ asset;
  ~^/api(/|$) api;
  ~^/(l/|go$|_card$) link;
  ~^/_emulator/ form;
  "~^/((identitytoolkit|securetoken)[.]googleapis[.]com|emulator)/" api;
}
map $resource_kind $default_cache_control {
  page no-cache;
  asset "public, max-age=31536000, immutable";
  default no-store;
}
# The redirect service sets the policy of its pages; "link" is for its redirects and empty responses.
map $resource_kind $default_policy {
  default "${indexHtml === null ? "" : spaPolicy(indexHtml)}";
  error "${staticPagePolicy(SMALL_PAGE_STYLE, "'none'")}";
  form "${staticPagePolicy(SMALL_PAGE_STYLE, "'self'")}";
  api "${DATA_POLICY}";
  link "${DATA_POLICY}";
}
# Other sites may prefetch short links and embed the images of link previews.
map $uri $resource_policy {
  default same-origin;
  ~^/(l/|_card$) cross-origin;
  "~^/[^/]+[.](png|svg|ico)$" cross-origin;
}
${Object.entries(defaultHeaders(publicUrl)).map(valueUnlessSet).join("\n")}
${commonHeaders(publicUrl)}
proxy_hide_header X-Request-Id;

map $uri $retry_after_seconds {
  default "";
  ~^/_errors/(429|50[234]) 5;
}
add_header Retry-After $retry_after_seconds always;

map "$uri $area" $allowed_methods {
  default "";
  "~^/_errors/405.* site$" "GET, HEAD";
  "~^/_errors/405.* link$" "GET, HEAD";
  "~^/_errors/405.* outcome$" POST;
  "~^/_errors/405.* api$" $api_methods;
}
add_header Allow $allowed_methods always;`;
}

function valueUnlessSet([name, value]: [string, string]): string {
  return `map $upstream_http_${variableOf(name)} ${addedVariable(name)} {
  default "";
  "" "${value}";
}`;
}

function addedVariable(name: string): string {
  return `$added_${variableOf(name)}`;
}

function variableOf(name: string): string {
  return name.toLowerCase().replaceAll("-", "_");
}
