import * as z from "zod/mini";

/** The public configuration of this installation: /config.json, served by the gateway. */
export const PublicConfig = z.object({
  publicBaseUrl: z.string(),
  productName: z.string(),
  contactEmail: z.string(),
  /** Options of the Firebase SDK; null without accounts. */
  firebase: z.nullable(z.record(z.string(), z.string())),
  /** Whether the Firebase SDK calls the emulator, through this site's origin. */
  emulator: z.boolean(),
  /** Whether Amazon Ads can be connected. Without it no page links to it. */
  hasAmazonAds: z.boolean(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
