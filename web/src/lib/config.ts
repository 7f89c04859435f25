import type { PublicConfig } from "@tapthru/proto/public-config";
import { CONFIG_ELEMENT_ID } from "@tapthru/proto/rules/paths";
import { createContext, useContext } from "react";
import { REQUEST_TIMEOUT_MS } from "./http/http-client.ts";

export type Config = PublicConfig;

/** The configuration that the gateway has written into the page; without a gateway, that of /config.json. */
export function readOrLoadConfig(): Config | Promise<Config> {
  const text = document.getElementById(CONFIG_ELEMENT_ID)?.textContent;
  return text ? JSON.parse(text) : loadConfig();
}

async function loadConfig(): Promise<Config> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await fetch("/config.json", { signal });
  return response.json();
}

export const ConfigContext = createContext<Config | null>(null);

export function useConfig(): Config {
  const config = useContext(ConfigContext);
  if (!config) throw new Error("useConfig must be used within a ConfigContext");
  return config;
}
