import { createContext, useContext } from "react";

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
  const response = await fetch("/config.json");
  return response.json();
}

export const ConfigContext = createContext<Config | null>(null);

export function useConfig(): Config {
  const config = useContext(ConfigContext);
  if (!config) throw new Error("useConfig needs a ConfigContext around it");
  return config;
}
