import * as z from "zod/mini";

/** Who may create an account: everyone, users with an invitation, or no one. */
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
  /** Whether Amazon Ads can be connected. Without it no page links to it. */
  hasAmazonAds: z.boolean(),
  /** Whether users can have own domains. Without it no page links to them. */
  hasDomains: z.boolean(),
});
export type PublicConfig = z.infer<typeof PublicConfig>;
