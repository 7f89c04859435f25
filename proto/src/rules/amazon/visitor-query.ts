import { READER_IDS } from "../mail-ids.ts";
import { normalized } from "../names.ts";

/** Maximum length, in characters, of an address with the visitor's parameters. */
export const MAX_DESTINATION_LENGTH = 8192;

/**
 * Who is paid: any name with a tag in it, as pages took it as `tag`, `ascsubtag`, `AssociateTag` (/gp/aws/cart/add.html), `associate-id`
 * (/gp/cart/aws-merge.html; both in the Product Advertising API Developer Guide 2011-08-01), `tag-value` (forms of handle-buy-box),
 * `tracking_id` (amazon-adsystem.com) and `t` (rcm.amazon.com/e/cm?t=); Attribution's; the associate's ad in banners of 2010 and in links
 * of the old product API.
 */
const PAID =
  /^(?:t|adid|creative(?:asin)?|camp|subscriptionid|awsaccesskeyid|maas|ref_|aa_.*|asc_.*|link[-_]?(?:code|id))$|tag(?!ram)|assoc|tracking[-_]?id/;

/** Parameters of our own addresses; `from` names the place of a link, which the redirect counts. */
const OURS = /^tt_|^(?:original_url|product_id|openexternalbrowser|from)$/;

/**
 * Parameters that decide what a page of Amazon shows: the seller; the offer and its variation; the results; the content of a cart or list; how the
 * page opens, or where it leads. Names of a few letters are compared as a whole.
 */
const DECIDES =
  /^(?:me?|th|psc|aod|olp[\w-]*|f[-_]\w+|k|s|i|n|rh|p[-_]\w+|bbn|bq|srs|rnid|rank|mode|index|start\w*|fst?|lo|pg|page\w*|view\w*|url|path|goto|location|return\w*|add|submit|items?(?:_?(?:id|count))?|sku|qty|sid|emi|(?:sns|rcx)\w*|coliid|colid|nodl|pldnsite|ie|ds|dc|fpw)$/;
/** In a name without the signs between its words, such as `offerlistingid`. */
const DECIDES_PARTS =
  /seller|merchant|vendor|smid|offer|listing|asin|variation|twister|dimension|condition|customi[sz]|quantity|cart|basket|buy|oneclick|(?<!un)subscribe(?!r)|wishlist|registry|checkout|deal|bubbleid|promo|coupon|claimcode|redeem|pctoff|stock|prime|fulfil|discount|gift|keyword(?!id)|search|field|alias|brand|department|categor|sort|price|filter|refine|reviewer|(?:format|media)type|node|browse(?!r)|marketplace|language|currency|encoding|dplnk|deeplink|redirect(?!\w*mongo)|openid/;

/**
 * Appends the visitor's query parameters to the owner's address as text: no byte of the owner's address changes, and
 * a parameter that it has is never repeated or replaced. An id of one reader of a mail is not added.
 * @param webUrl of a store page, without a fragment
 * @param visitorQuery the raw query of the request, without its question mark; `hasOwners`: the end of the owner's address may be in it
 */
export function appendVisitorQuery(webUrl: string, visitorQuery: string, hasOwners = false): string {
  if (visitorQuery === "" || visitorQuery.length > MAX_DESTINATION_LENGTH) return webUrl;
  const queryAt = webUrl.indexOf("?");
  const owned = new Set(queryAt === -1 ? [] : namesIn(webUrl.slice(queryAt + 1)));
  const isHeldBack = (name: string) =>
    PAID.test(name) || OURS.test(name) || owned.has(name) || READER_IDS.has(name) || (!hasOwners && decides(name));
  const isPassedOn = (parameter: string) => !namesIn(parameter).some(isHeldBack);
  const extra = escapeUnsafe(visitorQuery)
    .split("&")
    .filter((parameter) => parameter !== "" && isPassedOn(parameter))
    .join("&");
  if (extra === "") return webUrl;

  const destination = `${webUrl}${separatorAfter(webUrl, queryAt)}${extra}`;
  return destination.length > MAX_DESTINATION_LENGTH ? webUrl : destination;
}

export function saysWhoIsPaid(parameter: string): boolean {
  return namesIn(parameter).some((name) => PAID.test(name));
}

/** Prefixes of campaigns, which may have any name, and the keyword of an ad behind the prefix of any program. */
const CAMPAIGN = /^(?:utm|mtm|matomo|piwik|pk|ck|ml|mc|hsa)_|^(?!field|hidden)[a-z]+_keywords?(?:_?id)?$/;

/** Returns true if only an owner may choose the parameter. */
function decides(name: string): boolean {
  return !CAMPAIGN.test(name) && (DECIDES.test(name) || DECIDES_PARTS.test(name.replaceAll(/[^a-z0-9]/g, "")));
}

function separatorAfter(webUrl: string, queryAt: number): string {
  if (queryAt === -1) return "?";
  return webUrl.endsWith("?") || webUrl.endsWith("&") ? "" : "&";
}

const NAME_MAX_LENGTH = 100;

const withoutBlanks = (text: string) => text.replace(/[\s\p{C}?]+/gu, "");

/**
 * Parameter names as lenient parsers read them: decoded any number of times, without blanks, question marks and invisible characters,
 * with and without an index (`m[]`, `m.1`, `m_1`), with `;` and a second `?` both as separators and as text, and an encoded `&` as both:
 * Amazon's own /gp/cart/aws-merge.html?cart-id=…%26associate-id=…
 */
function namesIn(query: string): string[] {
  const separated = query.replaceAll(/%(?:25)+/g, "%").replaceAll(/[;?]|%26|%3b|%3f/gi, "&");
  return [...new Set([query, separated])]
    .flatMap((reading) => [...new URLSearchParams(`&${reading}`).keys()])
    .map((name) => withoutBlanks(normalized("NFKC", name)).toLowerCase())
    .flatMap((name) => {
      const [first = ""] = /\w[\w-]*/.exec(name.slice(0, NAME_MAX_LENGTH)) ?? [];
      return [name, first, first.replace(/[-_]\d+$/, "")];
    });
}

/** Node decodes each byte of the request line as one character. */
function escapeUnsafe(query: string): string {
  return query.replace(
    /[^\x21-\x7e]|["#<>\\^`{|}]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}
