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
  const fields: Partial<Record<string, unknown>> = { ...value };
  return Object.entries(TYPES).every(([name, type]) => typeof fields[name] === type);
}

const TYPES: Record<keyof Config, string> = {
  publicBaseUrl: "string",
  productName: "string",
  contactEmail: "string",
  signUp: "string",
  hasPasswordLogin: "boolean",
  hasAmazonAds: "boolean",
  hasDomains: "boolean",
  firebase: "object",
  openIdConnect: "object",
};

export const ConfigContext = createContext<Config | null>(null);

export function useConfig(): Config {
  const config = useContext(ConfigContext);
  if (!config) throw new Error("useConfig must be used within a ConfigContext");
  return config;
}
