import type { Config } from "@tapthru/core/platform/config/configs";
import type { SETTINGS } from "@tapthru/core/platform/config/settings";
import type { FeatureName, getSystem } from "@tapthru/proto/operator/system";
import type * as z from "zod/mini";

type SystemState = z.input<(typeof getSystem)["replies"][200]>;
type ApiConfig = Config<"api">;

const ADDRESS = /(?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s"'<>(),]*/gi;

/** The text, whose addresses have no name and password; null if one may remain, because an address is not valid. */
export function withoutLogins(text: string): string | null {
  const addresses = text.match(ADDRESS) ?? [];
  if (!addresses.every((address) => URL.canParse(address))) return null;
  const shown = text.replace(ADDRESS, withoutLogin);
  const slashesAt = shown.indexOf("//");
  return slashesAt !== -1 && shown.includes("@", slashesAt) ? null : shown;
}

function withoutLogin(address: string): string {
  const url = new URL(address);
  if (url.username === "" && url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
}

export function featuresOf(config: ApiConfig): SystemState["features"] {
  const areSet = (...names: (keyof ApiConfig)[]) => names.every((name) => config[name] !== null);
  const isFirebase = areSet("FIREBASE_PROJECT_ID");
  return [
    feature("sign-up", config.SIGNUP_MODE !== "closed", "SIGNUP_MODE"),
    feature("password-login", !isFirebase && config.PASSWORD_LOGIN === "on", "PASSWORD_LOGIN"),
    feature("openid-connect", areSet("OIDC_ISSUER"), "OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"),
    feature("firebase", isFirebase, "FIREBASE_PROJECT_ID", "FIREBASE_WEB_CONFIG"),
    feature("emails", areSet("SMTP_FROM"), "SMTP_URL", "SMTP_FROM"),
    feature("domains", config.TLS === "on", "TLS"),
    feature("webhooks", areSet("WEBHOOK_KEYS"), "WEBHOOK_KEYS"),
    feature("page-reads", config.METADATA_PAGE_FETCH === "on", "METADATA_PAGE_FETCH"),
    feature(
      "creators-api",
      areSet("AMAZON_CREATORS_CLIENT_ID"),
      "AMAZON_CREATORS_CLIENT_ID",
      "AMAZON_CREATORS_CLIENT_SECRET",
      "AMAZON_CREATORS_VERSION",
      "AMAZON_CREATORS_PARTNER_TAGS",
    ),
    feature(
      "amazon-ads",
      areSet("AMAZON_ADS_CLIENT_ID", "AMAZON_ADS_CLIENT_SECRET", "ENCRYPTION_KEYS"),
      "AMAZON_ADS_CLIENT_ID",
      "AMAZON_ADS_CLIENT_SECRET",
      "ENCRYPTION_KEYS",
    ),
    feature("rate-limits", config.RATE_LIMITS === "on", "RATE_LIMITS"),
  ];
}

function feature(name: FeatureName, isOn: boolean, ...settings: (keyof typeof SETTINGS)[]) {
  return { name, isOn, settings };
}
