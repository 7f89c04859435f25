import * as z from "zod/mini";

/** What a browser may know of this installation: /config.json, written by the gateway. */
export const PublicConfig = z.object({
  publicBaseUrl: z.string(),
  productName: z.string(),
  contactEmail: z.string(),
  /** What the Firebase SDK is initialised with; null where there are no accounts. */
  firebase: z.nullable(z.record(z.string(), z.string())),
  /** Whether Firebase's calls go to the emulator, at the address of this site. */
  emulator: z.boolean(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
