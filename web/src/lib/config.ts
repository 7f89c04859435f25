import type { PublicConfig } from "@tapthru/proto/public-config";
import { CONFIG_ELEMENT_ID } from "@tapthru/proto/rules/paths";
import { createContext, useContext } from "react";
import { REQUEST_TIMEOUT_MS } from "./http/http-client.ts";

export type Config = PublicConfig;

/** The configuration that the gateway has written into the page; without a gateway, that of /config.json. */
export function readOrLoadConfig(): Config | Promise<Config> {
  const text = document.getElementById(CONFIG_ELEMENT_ID)?.textContent;
  return text ? parseConfig(JSON.parse(text)) : loadConfig();
}

/** Rejects if the configuration is invalid. */
export async function loadConfig(): Promise<Config> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await fetch("/config.json", { signal });
  return parseConfig(await response.json());
}

function parseConfig(config: unknown): Config {
  if (!isConfig(config)) throw new Error("/config.json is invalid");
  return config;
}

/** Without zod, which would exceed the budget of the first script. */
function isConfig(value: unknown): value is Config {
  if (typeof value !== "object" || value === null) return false;
  const {
    publicBaseUrl,
    productName,
    contactEmail,
    firebase,
    signUp,
    hasPasswordLogin,
    openIdConnect,
    hasAmazonAds,
    hasDomains,
  }: Partial<Record<keyof Config, unknown>> = value;
  const areStrings = [publicBaseUrl, productName, contactEmail, signUp].every((text) => typeof text === "string");
  const areBooleans = [hasPasswordLogin, hasAmazonAds, hasDomains].every((value) => typeof value === "boolean");
  const areObjects = [firebase, openIdConnect].every((value) => typeof value === "object");
  return areStrings && areBooleans && areObjects;
}

export const ConfigContext = createContext<Config | null>(null);

export function useConfig(): Config {
  const config = useContext(ConfigContext);
  if (!config) throw new Error("useConfig must be used within a ConfigContext");
  return config;
}
