import { existsSync } from "node:fs";
import { SignUpMode } from "@tapthru/proto/public-config";
import { ANONYMOUS_CREATES_PER_MINUTE, LINKS_PER_ACCOUNT } from "@tapthru/proto/rules/limits";
import * as z from "zod/mini";
import {
  httpsIfSetInProduction,
  httpsInProduction,
  loopbackInDemo,
  onInProduction,
  ownPasswordInProduction,
  ownSecretInProduction,
  ownUrlPasswordInProduction,
  type Rule,
  standInOutsideProduction,
  unsetUnlessLocal,
} from "./rules.ts";
import {
  addressesLoggedUntil,
  countryHeader,
  hostAndPort,
  httpUrl,
  listenAddress,
  mailAddress,
  nameServers,
  onOrOff,
  origin,
  partnerTags,
  port,
  portPair,
  positiveInteger,
  postgresUrl,
  proxyNetworks,
  redisUrl,
  seconds,
  secretKey,
  secretKeys,
  smtpUrl,
  text,
  tokenUntil,
  webConfig,
} from "./values.ts";

export type Program = "api" | "redirect" | "worker" | "gateway" | "gateway-metrics" | "certificates" | "migrate";

export interface Setting {
  of: readonly Program[];
  about: string;
  schema: z.ZodMiniType;
  rule?: Rule;
  /** True if the value is a secret. Compose then also takes NAME_FILE. */
  secret?: true;
  /** Its value in Compose if the variable is not set. "fixed": the image or docker-compose.yml sets it. */
  compose?: string | "fixed";
  /** True if an empty variable in Compose switches off what needs it, instead of the value above. */
  offIfEmpty?: true;
}

const SERVICES = ["api", "redirect", "worker"] as const;

function optional<Schema extends z.ZodMiniType>(schema: Schema) {
  return z._default(z.nullable(schema), null);
}

/** .env.example, infra/compose/settings.yml and what `start` passes on come from here. */
export const SETTINGS = {
  TAPTHRU_ENV: {
    of: [...SERVICES, "gateway", "certificates", "migrate"],
    about: "`production` refuses insecure settings. `start`, `dev` and tests set `local`; `demo` is for containers.",
    schema: z._default(z.enum(["local", "demo", "production"], "must be local, demo or production"), "production"),
    compose: "demo",
  },
  TAPTHRU_VERSION: {
    of: [...SERVICES, "gateway-metrics"],
    about: "The version, which the image sets.",
    schema: z._default(z.string(), "unknown"),
    compose: "fixed",
  },
  PUBLIC_BASE_URL: {
    of: [...SERVICES, "gateway", "migrate"],
    about: "The site's origin, without a trailing slash. It must be https in production.",
    schema: z._default(origin, "http://localhost:8080"),
    rule: httpsInProduction,
    compose: "http://localhost:8080",
  },
  PRODUCT_NAME: {
    of: [...SERVICES, "gateway"],
    about: "The name that pages and emails show.",
    schema: z._default(
      text((value) => value.trim() === value && value.length <= 60, "must be a short name"),
      "Tapthru",
    ),
  },
  CONTACT_EMAIL: {
    of: [...SERVICES, "gateway"],
    about: "The operator's address, which pages show.",
    schema: z._default(
      text((value) => /^[^\s@]+@[^\s@]+$/.test(value), "must be an email address"),
      "hello@localhost",
    ),
  },
  HOST: {
    of: [...SERVICES, "gateway", "gateway-metrics"],
    about: "The address to listen on; `::`, which the images set, is all of IPv4 and IPv6.",
    schema: z._default(listenAddress, "127.0.0.1"),
    compose: "fixed",
  },
  PORT: {
    of: ["api", "redirect", "gateway"],
    about: "The port for visitors; 8081 by default for the api, 8082 for the redirect.",
    schema: z._default(port, 8080),
    compose: "fixed",
  },
  ADMIN_PORT: {
    of: [...SERVICES, "gateway-metrics"],
    about:
      "The port for health and metrics; 9081 by default for the api, 9082 for the redirect, 9084 for gateway-metrics.",
    schema: z._default(port, 9083),
    compose: "fixed",
  },
  LOG_LEVEL: {
    of: [...SERVICES, "gateway-metrics", "certificates"],
    about: "`fatal`, `error`, `warn`, `info`, `debug` or `trace`.",
    schema: z._default(
      z.enum(["fatal", "error", "warn", "info", "debug", "trace"], "must be fatal, error, warn, info, debug or trace"),
      "info",
    ),
  },
  TRUSTED_PROXIES: {
    of: [...SERVICES, "gateway"],
    about:
      "The proxies whose X-Forwarded-For is trusted: addresses, CIDR blocks of at most /8 (IPv6: /16), `cloudflare`, `google` (Google Cloud's load balancers), `loopback`, `linklocal` or `uniquelocal`, separated by commas. By default the gateway trusts none; in production it needs this without `TLS=on`. In Compose: `GATEWAY_TRUSTED_PROXIES`.",
    schema: z._default(proxyNetworks, ["loopback"]),
    compose: "fixed",
  },
  RATE_LIMITS: {
    of: ["api", "redirect", "gateway"],
    about: "`off` is for load tests, never in production.",
    schema: z._default(onOrOff, "on"),
    rule: onInProduction,
  },
  RATE_LIMIT_TOKEN: {
    of: ["api"],
    about:
      "For load tests: a time at most 24 hours ahead, a comma and 32 random characters, such as `2026-11-22T18:00Z,…`. Requests with this text in the header `Rate-Limit-Token` have no limit until then.",
    schema: optional(tokenUntil),
    secret: true,
  },
  ANONYMOUS_CREATES_PER_MINUTE: {
    of: ["api"],
    about: "The requests for links that all visitors and unconfirmed accounts together may send in a minute.",
    schema: z._default(positiveInteger, ANONYMOUS_CREATES_PER_MINUTE),
  },
  LINKS_PER_ACCOUNT: {
    of: ["api"],
    about: "The links that an account may have, in ten thousands: their number is estimated.",
    schema: z._default(positiveInteger, LINKS_PER_ACCOUNT),
  },
  LINKS_PER_UNCONFIRMED_ACCOUNT: {
    of: ["api"],
    about:
      "The same until its address is confirmed, exactly: 100 in production by default. Not where no emails can be sent, so that nobody can confirm.",
    schema: optional(positiveInteger),
  },

  DATABASE_URL: {
    of: [...SERVICES, "certificates", "migrate"],
    about:
      "Each service has its own role, `certificates` that of the redirect, the migration that of the owner. In Compose: `API_DATABASE_URL_FILE` and so on.",
    schema: postgresUrl,
    rule: ownUrlPasswordInProduction,
    secret: true,
    compose: "fixed",
  },
  PREPARED_STATEMENTS: {
    of: ["api", "redirect"],
    about:
      "`off` behind PgBouncer with transaction pooling, through which the worker and the migration cannot connect.",
    schema: z._default(onOrOff, "on"),
  },
  API_DATABASE_PASSWORD: databasePassword("api"),
  REDIRECT_DATABASE_PASSWORD: databasePassword("redirect"),
  MONITORING_DATABASE_PASSWORD: {
    ...databasePassword("redirect"),
    about:
      "The password that the migration gives tapthru_monitoring_login, with which the profile `monitoring` reads figures of Postgres. In Compose by default that of the redirect.",
    compose: `\${REDIRECT_DATABASE_PASSWORD:-demo-only-redirect}`,
  },
  WORKER_DATABASE_PASSWORD: databasePassword("worker"),
  REDIS_CACHE_URL: {
    of: SERVICES,
    about: "Redirect records and rate limits. Each Redis may be a server or a cluster: docs/scaling.md.",
    schema: redisUrl,
    rule: ownUrlPasswordInProduction,
    secret: true,
    compose: "fixed",
  },
  REDIS_QUEUE_URL: {
    of: SERVICES,
    about: "Jobs and clicks; its policy must be `noeviction`.",
    schema: redisUrl,
    rule: ownUrlPasswordInProduction,
    secret: true,
    compose: "fixed",
  },
  REDIS_SESSION_URL: {
    of: ["api"],
    about: "Sessions; without it they are in `REDIS_CACHE_URL`.",
    schema: optional(redisUrl),
    rule: ownUrlPasswordInProduction,
    secret: true,
  },

  SESSION_KEYS: {
    of: ["api"],
    about: "Signs sessions. Keys of at least 32 random characters, separated by commas, newest first.",
    schema: secretKeys,
    rule: ownSecretInProduction,
    secret: true,
    compose: "demo-only-session-key-everybody-knows",
  },
  ENCRYPTION_KEYS: {
    of: ["api", "worker", "certificates"],
    about:
      "Encrypts tokens of Amazon Ads, secrets of the built-in identity provider and keys of certificates. Keys as for `SESSION_KEYS`, the same for all.",
    schema: optional(secretKeys),
    rule: ownSecretInProduction,
    secret: true,
    compose: "demo-only-encryption-key-everybody-knows",
    offIfEmpty: true,
  },
  WEBHOOK_KEYS: {
    of: ["api", "worker"],
    about:
      "Encrypts the secrets of webhooks, which are off without it. Keys as for `SESSION_KEYS`, the same for both. In Compose an empty value means none.",
    schema: optional(secretKeys),
    rule: ownSecretInProduction,
    secret: true,
    compose: "demo-only-webhook-key-everybody-knows",
    offIfEmpty: true,
  },
  OUTCOME_KEY: {
    of: ["redirect"],
    about: "Signs what app-opening pages report. At least 32 random characters, the same for every replica.",
    schema: secretKey,
    rule: ownSecretInProduction,
    secret: true,
    compose: "demo-only-outcome-key-everybody-knows",
  },

  SIGNUP_MODE: {
    of: ["api", "gateway"],
    about:
      "Who may create an account: `open` everyone, `invitation` only invited users, `closed` no one: docs/accounts.md.",
    schema: z._default(SignUpMode, "open"),
  },
  PASSWORD_LOGIN: {
    of: ["api", "gateway"],
    about: "`off`: people log in with OpenID Connect only. It requires `OIDC_ISSUER`.",
    schema: z._default(onOrOff, "on"),
  },
  OIDC_ISSUER: {
    of: ["api", "gateway"],
    about:
      "An OpenID provider with which people can log in, without `/.well-known/openid-configuration`: docs/accounts.md#openid-connect.",
    schema: optional(httpUrl),
    rule: httpsIfSetInProduction,
  },
  OIDC_CLIENT_ID: {
    of: ["api"],
    about: "This site's client at that provider.",
    schema: optional(z.string()),
  },
  OIDC_CLIENT_SECRET: {
    of: ["api"],
    about: "The secret of the same client.",
    schema: optional(z.string()),
    secret: true,
  },
  OIDC_NAME: {
    of: ["api", "gateway"],
    about: "The provider's name on the button.",
    schema: z._default(
      text((value) => value.trim() === value && value.length <= 40, "must be a short name"),
      "OpenID Connect",
    ),
  },
  OIDC_ICON: {
    of: ["gateway"],
    about: "The address of the icon on the button.",
    schema: optional(httpUrl),
  },
  OIDC_OPERATOR_GROUP: {
    of: ["api"],
    about:
      "Members of this group, by the provider's claim `groups`, are operators. Other users who log in there are not.",
    schema: optional(z.string()),
  },
  OIDC_SCOPES: {
    of: ["api"],
    about: "The scopes that the api requests of the provider. Some send the claim `groups` only for a scope `groups`.",
    schema: z._default(
      text((value) => /^openid( [\x21-\x7e]{1,100})*$/.test(value), "must be `openid` and other scopes, with spaces"),
      "openid email profile",
    ),
  },
  FIREBASE_PROJECT_ID: {
    of: ["api"],
    about: "A Firebase project that keeps the accounts: docs/FIREBASE.md.",
    schema: optional(z.string()),
  },
  FIREBASE_WEB_CONFIG: {
    of: ["gateway"],
    about: "The web configuration of the same project, for the browser.",
    schema: optional(webConfig),
  },
  GOOGLE_APPLICATION_CREDENTIALS: {
    of: ["api"],
    about: "The file of the service account of the same project.",
    schema: optional(z.string().check(z.refine(existsSync, "must be the path of a file"))),
  },
  FIREBASE_AUTH_EMULATOR_HOST: {
    of: ["api"],
    about: "The emulator of tests, whose accounts are not protected. Only with `TAPTHRU_ENV=local`.",
    schema: optional(hostAndPort),
    rule: unsetUnlessLocal,
    compose: "fixed",
  },

  SMTP_URL: {
    of: ["worker"],
    about:
      "The mail server, such as `smtps://user:password@host:465` or `smtp://…:587` with TLS: docs/accounts.md#emails. Without it no email is sent.",
    schema: optional(smtpUrl),
    rule: ownUrlPasswordInProduction,
    secret: true,
  },
  SMTP_FROM: {
    of: ["api", "worker"],
    about: "The sender of these emails. Set both settings or neither.",
    schema: optional(mailAddress),
  },

  TLS: {
    of: ["api", "worker", "gateway"],
    about:
      "`on`: the gateway serves https itself, with certificates that the worker orders, and users can have own domains (docs/domains.md). `off`: a proxy serves https.",
    schema: z._default(onOrOff, "off"),
  },
  TLS_PORT: {
    of: ["gateway"],
    about: "The port for https, with `TLS=on`; 8444 by default for `start`.",
    schema: z._default(port, 8443),
    compose: "fixed",
  },
  TLS_EMAIL: {
    of: ["worker"],
    about: "Where the certificate authority writes about problems.",
    schema: optional(mailAddress),
  },
  ACME_DIRECTORY_URL: {
    of: ["api", "worker"],
    about: "The certificate authority.",
    schema: z._default(httpUrl, "https://acme-v02.api.letsencrypt.org/directory"),
  },
  CERTIFICATES_DIR: {
    of: ["gateway", "certificates"],
    about: "The directory of certificates, which `certificates` writes and nginx reads.",
    schema: z._default(
      text((value) => value.startsWith("/"), "must be an absolute path"),
      "/certificates",
    ),
    compose: "fixed",
  },
  DNS_SERVERS: {
    of: ["worker"],
    about: "Name servers for own domains, such as `10.0.0.2:53`, separated by commas, instead of those of the system.",
    schema: optional(nameServers),
  },

  LOCAL_GATEWAY_PORTS: {
    of: ["worker"],
    about: "For `start`: the gateway's ports for http and https, such as `8080,8444`, where own domains are checked.",
    schema: optional(portPair),
    rule: unsetUnlessLocal,
    compose: "fixed",
  },

  APP_OPENING_FILE: {
    of: ["redirect", "gateway"],
    about:
      "A strategy table instead of `proto/src/rules/app-opening/app-opening.json`, loaded without a restart. In Compose `/run/config/app-opening.json` is a file in CONFIG_DIR.",
    schema: optional(z.string()),
  },
  LINK_CACHE_BYTES: {
    of: ["redirect"],
    about:
      "The memory for links of each replica: 20000000 holds some 20,000 links. Raise the memory limit of the container by as much: `REDIRECT_MEMORY_LIMIT` in Compose, `redirect.resources` in Kubernetes.",
    // Half of the heap that node-options.json allows.
    schema: z._default(
      positiveInteger.check(z.maximum(96_000_000, "must be a whole number up to 96000000")),
      20_000_000,
    ),
  },
  CLICKS: {
    of: ["redirect"],
    about: "`off`: no clicks are counted, and /status/app-opening stays empty.",
    schema: z._default(onOrOff, "on"),
  },
  AUDIT_LOG_DAYS: {
    of: ["worker"],
    about: "Days that rows of the audit log are kept, at least 30. Network addresses: 30 days.",
    schema: z._default(positiveInteger.check(z.minimum(30, "must be a whole number of at least 30")), 365),
  },
  CLICKS_KEPT_MONTHS: {
    of: ["worker"],
    about: "Older clicks, and older outcomes of app opening, are deleted.",
    schema: z._default(positiveInteger, 25),
  },
  COUNTRY_HEADER: {
    of: ["redirect", "gateway"],
    about:
      "The header with the visitor's country, which a trusted proxy sets or removes in every request: `cloudflare`, `cloudfront`, `vercel`, `google`, `fastly` (to be set in VCL) or a name such as `X-Country`. If the gateway trusts `cloudflare`, that is the default.",
    schema: optional(countryHeader),
  },
  COUNTRY_DATABASE: {
    of: ["redirect"],
    about:
      "A country database in MaxMind's format instead of the bundled one, such as `/run/config/country.mmdb`: docs/features.md#clicks.",
    schema: optional(z.string()),
  },

  EXCHANGE_RATES: {
    of: ["worker"],
    about:
      "`off`: the reference rates of the European Central Bank are not read. Earnings are added up by users' own rates.",
    schema: z._default(onOrOff, "on"),
  },
  METADATA_PAGE_FETCH: {
    of: ["api", "worker"],
    about: "`off`: nothing is read from Amazon's pages: no titles, images, or stores that sell a product.",
    schema: z._default(onOrOff, "on"),
  },
  AMAZON_CREATORS_CLIENT_ID: {
    of: ["api", "worker"],
    about:
      "With all four settings this comes from Amazon's Creators API, for stores with a tag there, and no page is read.",
    schema: optional(z.string()),
  },
  AMAZON_CREATORS_CLIENT_SECRET: {
    of: ["worker"],
    about: "The secret of that client.",
    schema: optional(z.string()),
    secret: true,
  },
  AMAZON_CREATORS_VERSION: {
    of: ["worker"],
    about: "By region: `3.1` North America, `3.2` Europe, `3.3` Far East.",
    schema: optional(z.enum(["3.1", "3.2", "3.3"], "must be 3.1, 3.2 or 3.3")),
  },
  AMAZON_CREATORS_PARTNER_TAGS: {
    of: ["worker"],
    about: 'The operator\'s tags by store, such as `{"com":"me-20","ca":"me0c-20"}`.',
    schema: optional(partnerTags),
  },
  AMAZON_ADS_CLIENT_ID: {
    of: ["api", "gateway"],
    about:
      "With both settings Amazon Ads can be connected: docs/AMAZON_ADS.md. Without the first, no page links to it.",
    schema: optional(z.string()),
  },
  AMAZON_ADS_CLIENT_SECRET: {
    of: ["api"],
    about: "The secret of that client.",
    schema: optional(z.string()),
    secret: true,
  },
  EGRESS_STAND_IN_URL: {
    of: ["api", "worker"],
    about: "The Amazon stand-in instead of Amazon, never in production.",
    schema: optional(z.string()),
    rule: standInOutsideProduction,
  },

  API_ADDRESS: {
    of: ["gateway"],
    about: "A name and a port; the name may resolve to several replicas.",
    schema: hostAndPort,
    compose: "api:8080",
  },
  REDIRECT_ADDRESS: {
    of: ["gateway"],
    about: "The same for the redirect.",
    schema: hostAndPort,
    compose: "fixed",
  },
  WEB_ROOT: {
    of: ["gateway"],
    about: "The folder of the built web app, which the image sets.",
    schema: z.string(),
    compose: "fixed",
  },
  PUBLISH_ADDRESS: {
    of: ["gateway"],
    about:
      "Where Compose publishes the site, unless TLS is on. `0.0.0.0` makes it reachable from other machines; monitoring stays local.",
    schema: optional(z.string()),
    rule: loopbackInDemo,
    compose: "127.0.0.1",
  },
  HSTS_MAX_AGE: {
    of: ["gateway"],
    about: "Seconds for which browsers open this host by https only, if PUBLIC_BASE_URL is https; `0` ends it.",
    schema: z._default(seconds, 31_536_000),
  },
  LOG_CLIENT_ADDRESSES_UNTIL: {
    of: ["gateway"],
    about:
      "A time such as `2026-11-22T00:00Z`, at most 7 days ahead, until which the access log has client addresses: docs/monitoring.md#tracing-abuse.",
    schema: optional(addressesLoggedUntil),
  },
  LOG_VISITS_PERCENT: {
    of: ["gateway"],
    about:
      "The share of visits, from 1 to 100, of which the access log has a line. Failures and other requests always have one.",
    schema: z._default(positiveInteger.check(z.maximum(100, "must be a whole number from 1 to 100")), 100),
  },
  METRICS_ADDRESS: {
    of: ["gateway"],
    about:
      "The address of gateway-metrics. In Compose `gateway-metrics:5514` with the profile `monitoring` or `grafana`.",
    schema: optional(hostAndPort),
  },
  SYSLOG_PORT: {
    of: ["gateway-metrics"],
    about: "The UDP port for those records.",
    schema: z._default(port, 5514),
    compose: "fixed",
  },
} satisfies Record<string, Setting>;

function databasePassword(role: string) {
  return {
    of: ["migrate"],
    about: `The password that the migration gives tapthru_${role}_login; in Compose also that of the service in Redis.`,
    schema: optional(z.string()),
    rule: ownPasswordInProduction,
    secret: true,
    compose: `demo-only-${role}`,
  } satisfies Setting;
}

type Settings = typeof SETTINGS;

export type ShapeOf<P extends Program> = {
  [Name in keyof Settings as P extends Settings[Name]["of"][number] ? Name : never]: Settings[Name]["schema"];
};

export function shapeOf<P extends Program>(program: P): ShapeOf<P> {
  const settings: [string, Setting][] = Object.entries(SETTINGS);
  const own = settings.filter(([, { of }]) => of.includes(program));
  return Object.fromEntries(own.map(([name, { schema }]) => [name, schema])) as ShapeOf<P>;
}
