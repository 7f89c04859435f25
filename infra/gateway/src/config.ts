import { countryHeader } from "@tapthru/runtime/config/country-header";
import { parseEnv } from "@tapthru/runtime/config/env";
import {
  commonSettings,
  hostAndPort,
  portWithDefault,
  rateLimits,
  trustedProxies,
} from "@tapthru/runtime/config/settings";
import * as z from "zod/mini";
import { addressesLoggedUntil } from "./nginx/logged-addresses.ts";

const { HOST, TAPTHRU_ENV, PUBLIC_BASE_URL, PRODUCT_NAME, CONTACT_EMAIL } = commonSettings;

const WebConfig = z.record(z.string(), z.string());

function isWebConfig(text: string): boolean {
  try {
    return WebConfig.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

const webConfig = z.pipe(
  z.string().check(z.refine(isWebConfig, "must be a JSON object whose values are strings")),
  z.transform((text) => WebConfig.parse(JSON.parse(text))),
);

/** The settings of the gateway in a container. */
export const Config = z.object({
  TAPTHRU_ENV,
  PUBLIC_BASE_URL,
  PRODUCT_NAME,
  CONTACT_EMAIL,
  HOST,
  PORT: portWithDefault(8080),
  RATE_LIMITS: rateLimits,
  TRUSTED_PROXIES: z._default(trustedProxies, []),
  COUNTRY_HEADER: z._default(z.nullable(countryHeader), null),
  FIREBASE_WEB_CONFIG: z._default(z.nullable(webConfig), null),
  FIREBASE_AUTH_EMULATOR_HOST: z._default(z.nullable(hostAndPort), null),
  APP_OPENING_FILE: z._default(z.nullable(z.string()), null),
  API_ADDRESS: hostAndPort,
  REDIRECT_ADDRESS: hostAndPort,
  LOG_CLIENT_ADDRESSES_UNTIL: z._default(z.nullable(addressesLoggedUntil), null),
  METRICS_ADDRESS: z._default(z.nullable(hostAndPort), null),
  WEB_ROOT: z.string(),
});
export type Config = z.output<typeof Config>;

/** @throws EnvError that lists every invalid setting */
export function readConfig(): Config {
  return parseEnv(Config, process.env);
}
