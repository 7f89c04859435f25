import { parsePath, splitPath } from "./amazon-path.ts";

/** Stands for the programme Amazon Attribution, which reports to a seller and pays no associate. */
export const ATTRIBUTION_TAG = "maas";

/** Names of the tag on pages that fill a cart (/gp/aws/cart/add.html?AssociateTag=, /gp/cart/aws-merge.html?associate-id=). */
export const OTHER_TAG_NAMES = "(?:assoc(?:iates?)?|affiliate)[-_]?(?:tag|id)|tag";
const OTHER_TAG_NAME = new RegExp(`^(?:${OTHER_TAG_NAMES})$`, "i");
const CART = /^(?:gp\/(?:aws\/)?cart|cart|associates)\/(?!view\b|dp\/)/i;

/** Says whether a page fills a cart. Without a tag it opens nothing. */
export function isCart(path: string): boolean {
  return CART.test(splitPath(path).join("/"));
}

/**
 * The different tags that earn on a page, decoded: those of associates in the query, in their order, and in the path of an old link,
 * then ATTRIBUTION_TAG for any parameter of that programme. Amazon lets a link have one.
 * @param search the query with its question mark
 */
export function tagsIn(path: string, search: string): string[] {
  const takesOthers = isCart(path);
  // Amazon itself writes /gp/cart/aws-merge.html?cart-id=…%26associate-id=…
  const parameters = [...new URLSearchParams(takesOthers ? search.replaceAll(/%26/gi, "&") : search)];
  const named = parameters.flatMap(([name, value]) => (isTagName(name, takesOthers) && value !== "" ? value : []));
  const reading = parsePath(path, new URLSearchParams(search));
  const tags = reading.kind === "product" && reading.tag !== null ? [...named, reading.tag] : named;
  const ofAssociates = tags.filter((tag) => tag !== ATTRIBUTION_TAG);
  const hasAttribution = ofAssociates.length < tags.length || parameters.some(isAttribution);
  return [...new Set([...ofAssociates, ...(hasAttribution ? [ATTRIBUTION_TAG] : [])])];
}

export function isTag(parameter: string): boolean {
  return [...new URLSearchParams(`&${parameter}`).keys()].some((name) => isTagName(name, true));
}

const isTagName = (name: string, takesOthers: boolean) => name === "tag" || (takesOthers && OTHER_TAG_NAME.test(name));

function isAttribution([name, value]: readonly [string, string]): boolean {
  return value !== "" && (/^(?:maas|aa_\w+)$/i.test(name) || (name === "ref_" && value === "aa_maas"));
}

/** Changes the raw parameters of an address and no other byte. */
export function editParameters(url: string, edit: (parameters: string[]) => string[]): string {
  const [beforeFragment = ""] = url.split("#", 1);
  const [path = "", ...queries] = beforeFragment.split("?");
  const edited = edit(queries.join("?").split("&").filter(Boolean));
  return `${path}${edited.length === 0 ? "" : `?${edited.join("&")}`}${url.slice(beforeFragment.length)}`;
}
