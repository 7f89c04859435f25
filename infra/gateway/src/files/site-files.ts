import { escapeHtml, PAGE_COLORS } from "@tapthru/proto/rules/page-style";
import { paths } from "@tapthru/proto/rules/paths";
import { homeTagline } from "@tapthru/proto/rules/site-texts";
import type { GatewaySettings } from "../settings.ts";

type Site = Pick<GatewaySettings, "PUBLIC_BASE_URL" | "PRODUCT_NAME">;

/** Pages for search engines. The other pages are private or temporary. */
const LISTED_PAGES = ["/", "/login", "/signup", "/status/app-opening", "/privacy", "/privacy/amazon-ads-api"];

/** Preview crawlers read this file before they fetch a preview card. */
export function robotsText({ PUBLIC_BASE_URL }: Site): string {
  return `User-agent: *
Allow: /l/
Allow: /redirect
Disallow: /api/

Sitemap: ${PUBLIC_BASE_URL}/sitemap.xml
`;
}

/** Less than a year, as RFC 9116 recommends. Each start of the gateway renders the file again. */
const SECURITY_TEXT_LIFETIME_MS = 360 * 24 * 60 * 60 * 1_000;

/** Where to report a vulnerability of this installation (RFC 9116). */
export function securityText({
  PUBLIC_BASE_URL,
  CONTACT_EMAIL,
}: Pick<GatewaySettings, "PUBLIC_BASE_URL" | "CONTACT_EMAIL">): string {
  return `Contact: mailto:${encodeURI(CONTACT_EMAIL)}
Expires: ${new Date(Date.now() + SECURITY_TEXT_LIFETIME_MS).toISOString()}
Preferred-Languages: en
Canonical: ${PUBLIC_BASE_URL}/.well-known/security.txt
`;
}

export function sitemapXml({ PUBLIC_BASE_URL }: Site): string {
  const pages = LISTED_PAGES.map((path) => `  <url><loc>${escapeHtml(`${PUBLIC_BASE_URL}${path}`)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.join("")}</urlset>
`;
}

/** The manifest for installing the site as an app. Its icons are in the SPA's public folder. */
export function webManifest({ PRODUCT_NAME }: Site): string {
  const icon = (size: number, purpose: "any" | "maskable") => ({
    src: `/icon-${purpose === "maskable" ? "maskable-" : ""}${size}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  const manifest = {
    id: "/",
    name: PRODUCT_NAME,
    short_name: PRODUCT_NAME,
    description: homeTagline,
    lang: "en",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: PAGE_COLORS.page.light,
    theme_color: PAGE_COLORS.page.light,
    // With GET, the operating system opens an ordinary page, on which a button creates the link.
    share_target: {
      action: paths.share,
      method: "GET",
      // Without meaning for GET. Chromium warns if it is missing.
      enctype: "application/x-www-form-urlencoded",
      params: { title: "title", text: "text", url: "url" },
    },
    icons: [icon(192, "any"), icon(512, "any"), icon(512, "maskable")],
  };
  return `${JSON.stringify(manifest)}\n`;
}
