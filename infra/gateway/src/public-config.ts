import type { PublicConfig } from "@tapthru/proto/http/public-config";
import type { GatewaySettings } from "./settings.ts";

export function publicConfig(settings: GatewaySettings): PublicConfig {
  return {
    publicBaseUrl: settings.publicBaseUrl,
    productName: settings.productName,
    contactEmail: settings.contactEmail,
    firebase: settings.firebaseWebConfig,
    emulator: settings.emulator !== null,
  };
}
