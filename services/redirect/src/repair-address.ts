import { MAX_DESTINATION_LENGTH } from "@tapthru/proto/rules/amazon/visitor-query";
import { DOMAIN_PATH_PREFIX, SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { NAME_PATTERN, SHORT_CODE_PATTERN, shortCodeOf } from "@tapthru/proto/rules/short-code";

const ADDRESS = /^(\/l|\/d\/[^/]+)(?:\/+(.*))?$/is;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
/** An emoji such as 1️⃣, without the invisible character in it. */
const KEYCAP = /[\d#*]\u20e3/g;
/** The backslash that editors of Markdown put before `_` and `-`; browsers send a slash instead. */
const ESCAPES = /(?<=[a-z\d])[\\/]+(?=[-_*])/g;
/** Changes of `_` between letters by chats and Markdown, and of `-` by typesetting. No name has these characters. */
const UNDERSCORE = /(?<=[a-z\d])[*\uff3f](?=[a-z\d])/g;
const EMPHASIS = /(?<=[a-z\d])<(em|i)>([^<]+)<\/\1>(?=[a-z\d])/g;
const HYPHEN = /(?<=[a-z\d])[\u2010\u2011](?=[a-z\d])/g;
const AROUND = String.raw`[[^\p{L}\p{Nd}\p{M}]\p{Extended_Pictographic}]`;
/**
 * A name between punctuation, symbols, blanks and emoji. Text may follow in HTML, in Markdown, after `#` or `|`, or in a script
 * without capitals. A path that starts with a dot is one that scanners request.
 */
const NAME = new RegExp(
  String.raw`^(?![.])[${AROUND}--[\/]]*([a-z\d](?:[\w\-]*[a-z\d])?)${AROUND}*(?:$|[<"#\|\p{Lo}]|\]\()`,
  "v",
);

/**
 * The usual form of a link's address in another form: in capitals, escaped, with `&` or `;` instead of `?`, with `*` or `\_`
 * instead of `_`, or together with text beside it, such as a closing bracket.
 * @param url path and raw query @returns `url` if it is not such an address
 */
export function repairedAddress(url: string): string {
  const queryAt = url.indexOf("?");
  const path = queryAt === -1 ? url : url.slice(0, queryAt);
  if (isUsual(path) || path.length > MAX_DESTINATION_LENGTH) return url;
  // Some programs escape what is escaped.
  const query = url.slice(path.length + 1);
  return addressIn(path, query) ?? addressIn(path.replaceAll("%25", "%"), query) ?? url;
}

/** Returns true for the usual form of a link's path: /l/abc2345, or /d/go.anna.example/mug on an own domain. */
function isUsual(path: string): boolean {
  if (path.startsWith(SHORT_LINK_PATH_PREFIX)) return NAME_PATTERN.test(path.slice(SHORT_LINK_PATH_PREFIX.length));
  const [host = "", name = "", ...rest] = path.slice(DOMAIN_PATH_PREFIX.length).split("/");
  return path.startsWith(DOMAIN_PATH_PREFIX) && rest.length === 0 && SHORT_CODE_PATTERN.test(shortCodeOf(name, host));
}

function addressIn(path: string, urlQuery: string): string | null {
  const [, prefix = "", text = ""] = ADDRESS.exec(decoded(path)) ?? [];
  const [named = ""] = text.split(/[&;?]/, 1);
  const [, name = ""] = NAME.exec(asWritten(visible(named).toLowerCase())) ?? [];
  if (name === "" && text !== "") return null;

  const query = [...parametersIn(text.slice(named.length)), urlQuery];
  const repaired = `${prefix.toLowerCase()}/${name}?${query.filter(Boolean).join("&")}`;
  return isUsual(repaired.slice(0, repaired.indexOf("?"))) ? repaired : null;
}

/** Node decodes each byte of the request line as one character. What is no UTF-8 becomes a symbol. */
function decoded(path: string): string {
  const bytes = path.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

function visible(text: string): string {
  return text.replace(INVISIBLE, "").replace(KEYCAP, " ");
}

function asWritten(text: string): string {
  const plain = text.replace(EMPHASIS, "_$2_").replace(ESCAPES, "");
  return plain.replace(UNDERSCORE, "_").replace(HYPHEN, "-");
}

/** Those with a value, escaped: the rest may be an entity, such as `&quot;`. */
function parametersIn(text: string): string[] {
  return text
    .split(/[&;?]/)
    .filter((part) => part.includes("="))
    .map(encodeURI);
}
