import * as z from "zod/mini";

export const SignUpMode = z.enum(["open", "invitation", "closed"]);
export type SignUpMode = z.infer<typeof SignUpMode>;

/** The public configuration of this installation: /config.json, served by the gateway. */
export const PublicConfig = z.object({
  publicBaseUrl: z.string(),
  productName: z.string(),
  contactEmail: z.string(),
  /** Options of the Firebase SDK; null: the built-in identity provider. */
  firebase: z.nullable(z.record(z.string(), z.string())),
  signUp: SignUpMode,
  /** False: people log in with `openIdConnect` only. */
  hasPasswordLogin: z.boolean(),
  /** The button that logs in at an OpenID provider; null without one. */
  openIdConnect: z.nullable(z.object({ name: z.string(), iconUrl: z.nullable(z.string()) })),
  hasAmazonAds: z.boolean(),
  hasDomains: z.boolean(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
