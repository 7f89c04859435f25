/** Maximum length, in characters, of an address with the visitor's parameters. */
export const MAX_DESTINATION_LENGTH = 8192;

// Attribution parameters, parameters of our own addresses, and LINE's parameter that opens the system's browser.
const NEVER_PASSED_ON = new Set([
  // The tag in addresses of Amazon's widgets: rcm.amazon.com/e/cm?t=
  "t",
  // Of the associate's ad, in banners of 2010
  "adid",
  "creative",
  "creativeasin",
  "camp",
  // The associate, in links of the old product API
  "subscriptionid",
  "awsaccesskeyid",
  "maas",
  "ref_",
  "openexternalbrowser",
  "original_url",
  "product_id",
  // Names the place of a link, which the redirect counts.
  "from",
]);
/**
 * Any name with a tag in it: pages took it as `tag`, `ascsubtag`, `AssociateTag` (/gp/aws/cart/add.html) and `associate-id`
 * (/gp/cart/aws-merge.html; both in the Product Advertising API Developer Guide 2011-08-01), `tag-value` and `dev-tag-value`
 * (forms of handle-buy-box), `tracking_id` (amazon-adsystem.com). `link_code` of older links is today's `linkCode`.
 */
const NEVER_PASSED_ON_PARTS = /^(?:aa_|tt_|asc_)|^link[-_]?(?:code|id)$|tag|assoc|tracking[-_]?id/;

/**
 * Appends the visitor's query parameters to the owner's address as text: no byte of the owner's address changes, and
 * a parameter that it has is never repeated or replaced.
 * @param webUrl of a store page, without a fragment
 * @param visitorQuery the raw query of the request, without its question mark
 */
export function appendVisitorQuery(webUrl: string, visitorQuery: string): string {
  if (visitorQuery === "" || visitorQuery.length > MAX_DESTINATION_LENGTH) return webUrl;
  const queryAt = webUrl.indexOf("?");
  const owned = new Set(queryAt === -1 ? [] : namesIn(webUrl.slice(queryAt + 1)));
  const isPassedOn = (parameter: string) =>
    !isNeverPassedOn(parameter) && !namesIn(parameter).some((name) => owned.has(name));
  const extra = escapeUnsafe(visitorQuery)
    .split("&")
    .filter((parameter) => parameter !== "" && isPassedOn(parameter))
    .join("&");
  if (extra === "") return webUrl;

  const destination = `${webUrl}${separatorAfter(webUrl, queryAt)}${extra}`;
  return destination.length > MAX_DESTINATION_LENGTH ? webUrl : destination;
}

/** Whether a raw parameter may say who is paid, or is one of our own. */
export function isNeverPassedOn(parameter: string): boolean {
  return namesIn(parameter).some((name) => NEVER_PASSED_ON.has(name) || NEVER_PASSED_ON_PARTS.test(name));
}

function separatorAfter(webUrl: string, queryAt: number): string {
  if (queryAt === -1) return "?";
  return webUrl.endsWith("?") || webUrl.endsWith("&") ? "" : "&";
}

/**
 * Parameter names as lenient parsers read them: decoded, without blanks, question marks and invisible characters, with
 * `;` both as a separator and as text, and an encoded `&` as both: Amazon's own /gp/cart/aws-merge.html?cart-id=…%26associate-id=…
 */
function namesIn(query: string): string[] {
  return [...new Set([query, query.replaceAll(/;|%26|%3b/gi, "&")])]
    .flatMap((reading) => [...new URLSearchParams(`&${reading}`).keys()])
    .map((name) => name.replace(/[\s\p{C}?]+/gu, "").toLowerCase());
}

/** Node decodes each byte of the request line as one character. */
function escapeUnsafe(query: string): string {
  return query.replace(
    /[^\x21-\x7e]|["#<>\\^`{|}]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
