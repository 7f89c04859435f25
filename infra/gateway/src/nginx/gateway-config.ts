import { isIPv6 } from "node:net";
import { ERRORS } from "@tapthru/proto/rules/errors";
import { PRERENDERED_HOME } from "@tapthru/proto/rules/prerendered-home";
import { temporaryPaths } from "../run-files.ts";
import type { GatewaySettings } from "../settings.ts";
import { accessLog, metricsLog } from "./access-log.ts";
import {
  badGatewayLocation,
  CLIENT_CONCURRENCY,
  NO_REPLICA_AVAILABLE,
} from "./concurrency-limits.ts";
import { routeMaps } from "./counted-routes.ts";
import { emulatorLocations, emulatorUpstream } from "./emulator.ts";
import { ERROR_PAGES } from "./error-pages.ts";
import { IN_PROGRESS_PER_REPLICA, type LimitedUpstream, workerLimits } from "./limits.ts";
import { indented, nginxArgument } from "./nginx-text.ts";
import { plainHttp, redirectToHttps } from "./plain-http.ts";
import { ASSET_LOCATIONS, PRECOMPRESSED_COPIES, serveCopyOf } from "./precompressed-files.ts";
import { previewCrawlerMap, redirectCardLocation } from "./preview-crawlers.ts";
import { DEV_SERVER_CONNECTION, devServerLocation, proxying } from "./proxying.ts";
import { HAS_BODY } from "./refused-bodies.ts";
import { responseHeaders } from "./response-headers.ts";
import { addressOf, resolver, upstream } from "./upstreams.ts";

/**
 * The nginx.conf of all environments. It needs nginx 1.22 or later.
 * @param directory absolute path of the files that nginx.conf refers to
 * @param indexHtml the SPA's page, or null if Vite serves it
 */
export function gatewayConfig(
  settings: GatewaySettings,
  directory: string,
  indexHtml: string | null,
): string {
  const publicUrl = new URL(settings.publicBaseUrl);
  const host = isIPv6(settings.host) ? `[${settings.host}]` : settings.host;
  const publicFiles = nginxArgument(`${directory}/public`);
  const { discovery } = settings;
  const worker = workerLimits(settings.workers, settings.openFiles);
  const service = (name: LimitedUpstream, addresses: readonly string[]) =>
    upstream(name, addresses, discovery, IN_PROGRESS_PER_REPLICA[name]);

  return `${settings.runAsRoot ? "user root;\n" : ""}daemon off;
pid ${nginxArgument(`${settings.runDirectory}/nginx.pid`)};
# nginx logs an "error" for each record that it cannot send to gateway-metrics.
error_log stderr crit;
worker_processes ${settings.workers};
worker_rlimit_nofile ${worker.openFiles};
worker_shutdown_timeout 10s;

events {
  worker_connections ${worker.connections};
}

http {
  ${indented(1, temporaryPaths(settings.runDirectory))}

  # Less severe lines are about single requests and contain the visitor's address and the query. The access log
  # shows failures of services.
  error_log stderr crit;
  ${indented(1, accessLog(settings.accessLog, settings.addressesLoggedUntilMs))}
  ${settings.metricsAddress === null ? "" : indented(1, metricsLog(settings.metricsAddress, settings.workers * worker.connections))}

  ${indented(1, MEDIA_TYPES)}

  server_tokens off;
  absolute_redirect off;
  merge_slashes off;
  sendfile on;
  tcp_nopush on;

  ${indented(1, COMPRESSION)}

  ${indented(1, CLIENT_LIMITS)}

  ${settings.trustedProxies.map((proxy) => `set_real_ip_from ${nginxArgument(proxy)};`).join("\n  ")}
  real_ip_header X-Forwarded-For;
  real_ip_recursive on;

  ${indented(1, routeMaps())}
  ${settings.limitsClients ? indented(1, CLIENT_CONCURRENCY) : ""}
  ${indented(1, NO_REPLICA_AVAILABLE)}
  ${indented(1, plainHttp(publicUrl, settings.trustedProxies))}
  ${indented(1, HAS_BODY)}
  ${indented(1, previewCrawlerMap())}

  ${indented(1, responseHeaders(publicUrl, indexHtml))}
  ${indented(1, PRECOMPRESSED_COPIES)}

  ${indented(1, errorPages())}

  ${discovery === null ? "" : resolver(discovery)}
  ${indented(1, service("api", settings.api))}
  ${indented(1, service("redirect", settings.redirect))}
  ${indented(1, service("reports", settings.redirect))}
  ${settings.emulator === null ? "" : indented(1, emulatorUpstream(settings.emulator, settings))}
  ${indented(1, proxying(publicUrl))}

  ${"devServer" in settings.web ? indented(1, DEV_SERVER_CONNECTION) : ""}

  server {
    listen ${nginxArgument(`${host}:${settings.port}`)}${settings.sharesPort ? " reuseport" : ""};
    ${settings.healthSocket === null ? "" : `listen ${nginxArgument(`unix:${settings.healthSocket}`)};`}

    ${indented(2, redirectToHttps(publicUrl))}
    location ~ ^/l/[^/]+/outcome$ {
      if ($request_method != POST) {
        return 405;
      }
      client_max_body_size 1k;
      ${BODY_UNBUFFERED}
      proxy_pass ${addressOf("reports", discovery)};
    }
    location ~ ^/l/ {
      if ($request_method !~ ^(GET|HEAD)$) {
        return 405;
      }
      if ($has_body) {
        return 413;
      }
      gzip off;
      proxy_pass ${addressOf("redirect", discovery)};
    }
    ${indented(2, redirectCardLocation(addressOf("redirect", discovery)))}
    # A regular expression, because a prefix that ends in a slash would redirect /api to /api/.
    location ~ ^/api(/|$) {
      # Node closes the connection if it does not know the method.
      if ($request_method !~ ^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$) {
        return 501;
      }
      ${BODY_UNBUFFERED}
      proxy_pass ${addressOf("api", discovery)};
    }
    location ~ ^/(config[.]json|robots[.]txt|sitemap[.]xml|manifest[.]webmanifest)$ {
      root ${publicFiles};
    }
    location = /app-opening.json {
      ${settings.appOpeningFile === null ? `root ${publicFiles}` : `alias ${nginxArgument(settings.appOpeningFile)}`};
    }
    location ^~ /_errors/ {
      internal;
      root ${nginxArgument(directory)};
    }
    ${indented(2, badGatewayLocation(nginxArgument(directory)))}

    ${settings.emulator === null ? "" : indented(2, emulatorLocations(publicUrl, directory, settings))}
    ${indented(
      2,
      "root" in settings.web
        ? builtSpaLocations(settings.web.root, publicFiles)
        : devServerLocation(settings.web.devServer, publicUrl),
    )}
  }
}
`;
}

const MEDIA_TYPES = `
types {
  text/html html;
  text/css css;
  text/javascript js mjs;
  text/plain txt;
  application/json json;
  application/problem+json problem;
  application/manifest+json webmanifest;
  application/xml xml;
  image/svg+xml svg;
  image/png png;
  image/jpeg jpg jpeg;
  image/webp webp;
  image/avif avif;
  image/x-icon ico;
  font/woff2 woff2;
  video/mp4 mp4;
  video/webm webm;
  text/vtt vtt;
}
default_type application/octet-stream;
charset utf-8;
charset_types text/css text/javascript text/plain text/vtt;`;

/**
 * The service reads the body as it arrives, so that its timeout for a whole request applies. nginx only limits the
 * pause between two reads.
 */
const BODY_UNBUFFERED = "proxy_request_buffering off;";

const COMPRESSION = `
gzip on;
gzip_comp_level 5;
gzip_min_length 1024;
gzip_proxied any;
gzip_vary on;
gzip_types text/css text/javascript text/plain text/vtt application/json
  application/manifest+json image/svg+xml;`;

const CLIENT_LIMITS = `
client_max_body_size 16k;
client_body_buffer_size 16k;
large_client_header_buffers 4 16k;
# client_header_timeout: the whole header. client_body_timeout: the pause between two reads of a body.
# lingering_*: reading and discarding a refused body.
client_header_timeout 10s;
client_body_timeout 4s;
send_timeout 10s;
lingering_time 3s;
lingering_timeout 3s;
reset_timedout_connection on;`;

function errorPages(): string {
  const directives = ERROR_PAGES.map(
    ({ code, nginxStatus = ERRORS[code].status }) =>
      `error_page ${nginxStatus} =${ERRORS[code].status} /_errors/${ERRORS[code].status}.$error_format;`,
  );
  return `
map "$area:$http_accept" $error_format {
  default html;
  "~^api:.*application/problem[+]json" problem;
  "~^api:" txt;
}
${directives.join("\n")}`;
}

/** @param publicFiles directory of the rendered pages, as an nginx argument */
function builtSpaLocations(webRoot: string, publicFiles: string): string {
  return `
root ${nginxArgument(webRoot)};
location ~ (/\\.|\\.(map|br|gz)$) {
  return 404;
}
${ASSET_LOCATIONS}
location /assets/ {
  try_files $uri =404;
}
location = /version.txt {
  try_files $uri =404;
}
location = / {
  root ${publicFiles};
  ${indented(1, serveCopyOf(`/${PRERENDERED_HOME}`, "text/html"))}
}
location = /${PRERENDERED_HOME} {
  return 404;
}
location = /index.html {
  root ${publicFiles};
  ${indented(1, serveCopyOf("/index.html", "text/html"))}
}
location / {
  try_files $uri /index.html;
}`;
}
