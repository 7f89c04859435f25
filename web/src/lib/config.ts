import { createContext, useContext } from "react";
import { REQUEST_TIMEOUT_MS } from "./http-client.ts";

export interface Config {
  publicBaseUrl: string;
  productName: string;
  contactEmail: string;
  /** What the Firebase SDK is initialised with; null while nobody can sign in. */
  firebase: Readonly<Record<string, string>> | null;
  /** The Firebase emulator stands on this site's own origin. */
  emulator: boolean;
}

/** What the gateway says of this deployment; index.html preloads it. */
export async function loadConfig(): Promise<Config> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await fetch("/config.json", { signal });
  return response.json();
}

export const ConfigContext = createContext<Config | null>(null);

export function useConfig(): Config {
  const config = useContext(ConfigContext);
  if (!config) throw new Error("useConfig needs a ConfigContext around it");
  return config;
}
