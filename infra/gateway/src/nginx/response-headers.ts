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

/**
 * The headers of every response, for the http block. A header that a service sets is kept. No location may use
 * `add_header`: nginx would drop all of these headers there.
 * @param indexHtml the SPA's page, or null if Vite serves it, which no strict policy allows
 */
export function responseHeaders(publicUrl: URL, indexHtml: string | null): string {
  const headers = {
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
${Object.entries(headers).map(headerUnlessSet).join("\n")}

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
add_header Allow $allowed_methods always;

proxy_hide_header X-Request-Id;
add_header X-Request-Id $request_id always;`;
}

function headerUnlessSet([name, value]: [string, string]): string {
  const variable = name.toLowerCase().replaceAll("-", "_");
  return `map $upstream_http_${variable} $added_${variable} {
  default "";
  "" "${value}";
}
add_header ${name} $added_${variable} always;`;
}
