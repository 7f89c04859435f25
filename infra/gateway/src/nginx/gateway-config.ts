import { isIPv6 } from "node:net";
import { createLinks } from "@tapthru/proto/http/create-links";
import { createImport } from "@tapthru/proto/http/imports";
import { go } from "@tapthru/proto/http/patterns";
import { temporaryPaths } from "../run-files.ts";
import type { GatewaySettings } from "../settings.ts";
import { accessLog, metricsLog } from "./access-log.ts";
import { apiMethodsMap } from "./api-methods.ts";
import {
  ANY_BODY_SIZE,
  badGatewayLocation,
  CLIENT_CONCURRENCY,
  NO_REPLICA_AVAILABLE,
} from "./concurrency-limits.ts";
import { routeMaps } from "./counted-routes.ts";
import { countryHeaders } from "./country-headers.ts";
import { emulatorLocations, emulatorUpstream } from "./emulator.ts";
import { errorPageDirectives } from "./error-pages.ts";
import { CLIENT_LIMITS, COMPRESSION, MEDIA_TYPES } from "./http-defaults.ts";
import { IN_PROGRESS_PER_REPLICA, type LimitedUpstream, workerLimits } from "./limits.ts";
import { indented, nginxArgument } from "./nginx-text.ts";
import { plainHttp, redirectToHttps } from "./plain-http.ts";
import { PRECOMPRESSED_COPIES } from "./precompressed-files.ts";
import { previewCrawlerMap, redirectCardLocation } from "./preview-crawlers.ts";
import { DEV_SERVER_CONNECTION, devServerLocation, proxying } from "./proxying.ts";
import { HAS_BODY } from "./refused-bodies.ts";
import { commonHeaders, responseHeaders } from "./response-headers.ts";
import { builtSpaLocations } from "./spa-locations.ts";
import { trustedProxyDirectives } from "./trusted-proxies.ts";
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
  const apiProxy = `
# Node closes the connection if it does not know the method.
if ($request_method !~ ^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$) {
  return 405;
}
${BODY_UNBUFFERED}
proxy_pass ${addressOf("api", discovery)};`;
  const service = (name: LimitedUpstream, addresses: readonly string[]) =>
    upstream(name, addresses, discovery, IN_PROGRESS_PER_REPLICA[name]);

  return `${settings.runAsRoot ? "user root;\n" : ""}daemon off;
pid ${nginxArgument(`${settings.runDirectory}/nginx.pid`)};
# nginx logs an "error" for each record that it cannot send to gateway-metrics.
error_log stderr crit;
pcre_jit on;
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

  ${indented(1, trustedProxyDirectives(settings.trustedProxies))}

  ${indented(1, routeMaps())}
  ${indented(1, apiMethodsMap())}
  ${settings.limitsClients ? indented(1, CLIENT_CONCURRENCY) : ""}
  ${indented(1, NO_REPLICA_AVAILABLE)}
  ${indented(1, plainHttp(publicUrl))}
  ${indented(1, HAS_BODY)}
  ${indented(1, previewCrawlerMap())}

  ${indented(1, responseHeaders(publicUrl, indexHtml))}
  ${indented(1, PRECOMPRESSED_COPIES)}

  ${indented(1, errorPageDirectives())}

  ${discovery === null ? "" : resolver(discovery)}
  ${indented(1, service("api", settings.api))}
  ${indented(1, service("redirect", settings.redirect))}
  ${indented(1, service("reports", settings.redirect))}
  ${settings.emulator === null ? "" : indented(1, emulatorUpstream(settings.emulator, settings))}
  ${indented(1, proxying(publicUrl))}
  ${indented(1, countryHeaders(settings.countryHeader, settings.trustedProxies.length > 0))}

  ${"devServer" in settings.web ? indented(1, DEV_SERVER_CONNECTION) : ""}

  server {
    listen ${nginxArgument(`${host}:${settings.port}`)};

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
      ${indented(3, commonHeaders(publicUrl))}
      proxy_pass ${addressOf("redirect", discovery)};
    }
    ${indented(2, redirectCardLocation(addressOf("redirect", discovery)))}
    location = ${createLinks.path} {
      client_max_body_size ${createLinks.bodyMaxBytes};
      ${indented(3, apiProxy)}
    }
    # The api names the short link in X-Accel-Redirect, and nginx responds as for the short link.
    location = ${go.path} {
      if ($request_method !~ ^(GET|HEAD)$) {
        return 405;
      }
      if ($has_body) {
        return 413;
      }
      proxy_pass ${addressOf("api", discovery)};
    }
    location = ${createImport.path} {
      client_max_body_size ${createImport.file.maxBytes};
      # A phone's connection may pause. The api limits the time of the whole file, and the number of files of each user.
      client_body_timeout 10s;
      ${indented(3, apiProxy)}
    }
    # A regular expression, because a prefix that ends in a slash would redirect /api to /api/.
    location ~ ^/api(/|$) {
      ${indented(3, apiProxy)}
    }
    location ~ ^/(config[.]json|robots[.]txt|sitemap[.]xml|manifest[.]webmanifest|offline[.]html)$ {
      root ${publicFiles};
    }
    location = /app-opening.json {
      ${settings.appOpeningFile === null ? `root ${publicFiles}` : `alias ${nginxArgument(settings.appOpeningFile)}`};
    }
    location ^~ /_errors/ {
      internal;
      ${ANY_BODY_SIZE}
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

/**
 * The service reads the body as it arrives, so that its timeout for a whole request applies. nginx only limits the
 * pause between two reads.
 */
const BODY_UNBUFFERED = "proxy_request_buffering off;";
