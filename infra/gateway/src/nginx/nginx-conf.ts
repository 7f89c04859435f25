import { readdirSync, readFileSync } from "node:fs";
import { isIPv6 } from "node:net";
import { join } from "node:path";
import { WELL_KNOWN_COUNTRY_HEADERS } from "@tapthru/core/platform/config/values";
import type { Call } from "@tapthru/proto/call";
import { CALLS } from "@tapthru/proto/calls";
import { getSystem } from "@tapthru/proto/operator/system";
import { PREVIEW_CRAWLER_NAMES, PREVIEW_CRAWLER_STARTS } from "@tapthru/proto/rules/agents/crawlers";
import { SMALL_PAGE_STYLE } from "@tapthru/proto/rules/pages/small-page";
import { ACCOUNT_PATH, LINK_TABS, PRERENDERED_PAGES, paths } from "@tapthru/proto/rules/paths";
import { DATA_POLICY, spaPolicy, staticPagePolicy } from "../files/content-security-policy.ts";
import { errorPageDirectives, linkPageLanguages } from "../files/error-pages.ts";
import { type GatewaySettings, isAtLeast } from "../settings.ts";
import { COUNTED_OWN_ROUTES, COUNTED_ROUTES, type CountedRoute } from "./counted-routes.ts";
import { escaped, fillTemplate } from "./fill-template.ts";
import { IN_PROGRESS_PER_ADDRESS, IN_PROGRESS_PER_REPLICA, type LimitedUpstream, workerLimits } from "./limits.ts";
import { resolver, upstream } from "./upstreams.ts";

const TEMPLATES = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".conf"));

/**
 * The configuration of nginx, by file name.
 * @param directory absolute path of the files that nginx.conf refers to
 * @param indexHtml the SPA's page, or null if Vite serves it, which no strict policy allows
 */
export function nginxConf(
  settings: GatewaySettings,
  directory: string,
  indexHtml: string | null,
): Record<string, string> {
  const values = templateValues(settings, directory, indexHtml);
  const fill = (name: string) => fillTemplate(readFileSync(join(import.meta.dirname, name), "utf8"), values);
  return Object.fromEntries(TEMPLATES.map((name) => [name, fill(name)]));
}

function templateValues(settings: GatewaySettings, directory: string, indexHtml: string | null) {
  const { nameServers, nginxVersion, trustedProxies, devServer, workers } = settings;
  const tls = settings.TLS === "on";
  const publicUrl = new URL(settings.PUBLIC_BASE_URL);
  const worker = workerLimits(workers, settings);
  const service = (name: LimitedUpstream, addresses: readonly string[]) =>
    upstream(name, addresses, nameServers !== null, IN_PROGRESS_PER_REPLICA[name]);
  const hasHttp2Directive = isAtLeast(nginxVersion, [1, 25, 1]);
  const http2 = hasHttp2Directive ? " ssl" : " ssl http2";
  const isHttps = publicUrl.protocol === "https:";
  const siteHsts = isHttps ? `max-age=${settings.HSTS_MAX_AGE}` : "";
  const proxies = trustedProxies.map((proxy) => `"${escaped(proxy)}"`);

  return {
    runAsRoot: settings.runAsRoot,
    runDirectory: escaped(settings.runDirectory),
    directory: escaped(directory),
    workers,
    openFilesPerWorker: worker.openFiles,
    connectionsPerWorker: worker.connections,
    connections: workers * worker.connections,
    listen: listen(settings.HOST, settings.PORT),
    publicOrigin: escaped(publicUrl.origin),
    publicHost: escaped(publicUrl.host),
    scheme: publicUrl.protocol.slice(0, -1),
    hasHsts: isHttps || tls,
    siteHsts,
    hsts: tls ? "$hsts" : siteHsts,
    hstsMaxAge: settings.HSTS_MAX_AGE,

    tls,
    redirectsToHttps: tls && isHttps,
    listenTls: listen(settings.HOST, settings.TLS_PORT, http2),
    listenTlsByDefault: listen(settings.HOST, settings.TLS_PORT, ` default_server${http2}`),
    hasHttp2Directive,
    // Those of variable names, in memory.
    cachesCertificates: isAtLeast(nginxVersion, [1, 27, 4]),
    sharesTickets: settings.sharesTickets,
    certificatesDir: escaped(settings.CERTIFICATES_DIR),
    publicHostName: escaped(publicUrl.hostname),
    sitePath: tls ? "$site_path" : "$uri",
    hostField: tls ? '"host":"$host",' : "",

    accessLog: escaped(settings.accessLog),
    secondsWithAddresses:
      settings.LOG_CLIENT_ADDRESSES_UNTIL && lessThanPattern(Math.floor(settings.LOG_CLIENT_ADDRESSES_UNTIL / 1_000)),
    addressField: settings.LOG_CLIENT_ADDRESSES_UNTIL === null ? "" : '"clientAddress":"$logged_address",',
    sampledVisits: settings.LOG_VISITS_PERCENT < 100 && settings.LOG_VISITS_PERCENT,
    ifLogged: settings.LOG_VISITS_PERCENT < 100 ? " if=$is_logged" : "",
    metricsAddress: settings.metricsAddress && escaped(settings.metricsAddress),

    realAddressesFrom: proxies.map((proxy) => `set_real_ip_from ${proxy};`).join("\n"),
    visitorHeader: settings.visitorHeader,
    trustedProxies: proxies.map((proxy) => `${proxy} 1;`).join("\n"),
    countryHeaders: countryHeaders(settings),
    limitsClients: settings.RATE_LIMITS === "on",
    inProgressPerAddress: IN_PROGRESS_PER_ADDRESS,
    previewCrawlers: previewCrawlers(),

    spaPolicy: indexHtml === null ? "" : spaPolicy(indexHtml, settings),
    pagePolicy: staticPagePolicy(SMALL_PAGE_STYLE),
    dataPolicy: DATA_POLICY,
    linkPageLanguages: linkPageLanguages(),
    errorPages: errorPageDirectives(),

    countedSiteRoute: tls ? "$counted_site_route" : "$counted_route",
    countedRoutes: countedRoutes(COUNTED_ROUTES),
    countedOwnRoutes: countedRoutes(COUNTED_OWN_ROUTES),
    areas: COUNTED_ROUTES.map(({ route, area }) => `"${route}" ${area};`).join("\n"),
    resolver: nameServers === null ? "" : resolver(nameServers),
    upstreams: [
      service("api", settings.api),
      service("redirect", settings.redirect),
      service("reports", settings.redirect),
    ].join("\n"),
    systemPath: getSystem.path,
    largeBodies: largeBodies(),

    appOpeningFile: escaped(settings.APP_OPENING_FILE ?? join(directory, "public/app-opening.json")),
    devServer: devServer && escaped(devServer),
    webRoot: devServer === null && escaped(settings.WEB_ROOT),
    pages: pages(directory),
    accountPath: ACCOUNT_PATH,
    pagePaths: Object.values(paths)
      .map((path) => (typeof path === "string" ? path : `${path("[^/]+")}(?:/(?:${LINK_TABS.join("|")}))?`))
      .join("|"),
  };
}

/** With sockets for each family: one for both would show IPv4 addresses as IPv6. */
function listen(host: string, port: number, parameters = ""): string {
  const hosts = host === "::" ? ["0.0.0.0", "::"] : [host];
  return hosts.map((one) => `listen "${escaped(isIPv6(one) ? `[${one}]` : one)}:${port}"${parameters};`).join("\n");
}

function countedRoutes(routes: readonly Pick<CountedRoute, "route" | "pattern">[]): string {
  return routes.map(({ route, pattern }) => `"~${pattern}" "${route}";`).join("\n");
}

/** A regular expression for all smaller numbers with the same number of digits. */
export function lessThanPattern(limit: number): string {
  const digits = String(limit);
  const patterns = [...digits].flatMap((digit, index) =>
    digit === "0" ? [] : [`${digits.slice(0, index)}[0-${Number(digit) - 1}]\\d{${digits.length - index - 1}}`],
  );
  return `(?:${patterns.join("|")})`;
}

function countryHeaders({ countryHeader, trustedProxies }: GatewaySettings): string {
  const names = new Set(WELL_KNOWN_COUNTRY_HEADERS);
  if (countryHeader !== null) names.add(countryHeader);
  return Array.from(names, (name) => {
    if (name !== countryHeader || trustedProxies.length === 0) return `proxy_set_header ${name} "";`;
    return `map $is_from_trusted_proxy $trusted_country {
  1 $http_${name.replaceAll("-", "_")};
}
proxy_set_header ${name} $trusted_country;`;
  }).join("\n");
}

/** The redirect service uses the same list of names. */
function previewCrawlers(): string {
  const literal = (text: string) => text.replace(/[^A-Za-z0-9/ -]/g, "[$&]");
  const patterns = [
    ...PREVIEW_CRAWLER_STARTS.map((start) => `^${literal(start)}`),
    ...PREVIEW_CRAWLER_NAMES.map(literal),
  ];
  return patterns.map((pattern) => `"~*${pattern}" 1;`).join("\n");
}

/** A phone's connection may pause while it sends a file. The api limits the time of the whole file, and the number of files of each user. */
function largeBodies(): string {
  const locations = Object.values<Call>(CALLS).flatMap(({ path, file, bodyMaxBytes = file?.maxBytes }) =>
    bodyMaxBytes === undefined
      ? []
      : `location = ${path} {
  client_max_body_size ${bodyMaxBytes};${file ? "\n  client_body_timeout 10s;" : ""}
  include api-proxy.conf;
}`,
  );
  return locations.join("\n");
}

/** The pages of the SPA that are files. Those that were rendered in advance have their own paths only. */
function pages(directory: string): string {
  const page = (path: string, file: string) => `location = ${path} {
  root "${escaped(directory)}/public";
  gzip off;
  types {}
  default_type text/html;
  try_files /${file}$copy /${file} =404;
}`;
  const prerendered = Object.entries(PRERENDERED_PAGES).flatMap(([path, file]) => [
    page(path, file),
    `location = /${file} {
  return 404;
}`,
  ]);
  return [...prerendered, page("/index.html", "index.html")].join("\n");
}
