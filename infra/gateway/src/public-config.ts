import type { GatewaySettings } from "./settings.ts";

/** What the browser may know of this installation: /config.json. */
export interface PublicConfig {
  publicBaseUrl: string;
  productName: string;
  contactEmail: string;
  firebase: Readonly<Record<string, string>> | null;
  /** The Firebase emulator stands behind `publicBaseUrl` itself. */
  emulator: boolean;
}

export function publicConfig(settings: GatewaySettings): PublicConfig {
  return {
    publicBaseUrl: settings.publicBaseUrl,
    productName: settings.productName,
    contactEmail: settings.contactEmail,
    firebase: settings.firebaseWebConfig,
    emulator: settings.emulator !== null,
  };
}
