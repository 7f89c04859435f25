import { parseStorePage } from "./amazon-url.ts";

/** A tag of the usual form, with the suffix of its country. Those of owners who took the name of their site have dots. */
export const TAG_WITH_SUFFIX: RegExp = /^[A-Za-z0-9][\w.-]{0,99}(-2\d)$/;

/** Programs that write an address as one text encode its separators, some more than once. */
const encoded = (hex: string) => `%(?:25){0,3}${hex}`;
const EQUALS = `(?:=|${encoded("3d")})`;
const NAMED = `(?=[\\w.-]{1,40}${EQUALS})`;
const TAG = `tag${EQUALS}(?=[a-z\\d])`;

export const TAG_ANYWHERE: RegExp = new RegExp(
  `(?:[?&;]|${encoded("3f")}|${encoded("26")}|${encoded("3b")})${TAG}`,
  "i",
);

/** Where parameters begin that are in a path: `/dp/B0ZZ1Y2X3W&tag=…`, `/dp/B0ZZ1Y2X3W%3FlinkCode%3D…`. */
const IN_PATH = new RegExp(`(?:[&;]|${encoded("3f")}|${encoded("26")})${NAMED}`, "i");
/** Text of each path in which `afterProduct` or `afterTag` finds a parameter. */
const MAY_BE_IN_PATH = new RegExp(`${IN_PATH.source}|/${TAG}|-2[0-3](?:/|$)`, "i");
const TAG_IN_PATH = new RegExp(`(?:[&;]|${encoded("3f")}|${encoded("26")})${TAG}`, "i");
/** Where a parameter begins within another one: `?th=1?tag=…`. Some values are addresses, whose parameters are theirs. */
const IN_PARAMETER = new RegExp(`(?:[?;]|${encoded("3f")}|${encoded("26")}|${encoded("3b")})${NAMED}`, "i");
const TAG_IN_PARAMETER = new RegExp(
  `(?:^|[?]|${encoded("3f")}|${encoded("26")})${TAG}|(?:;|${encoded("3b")})tag${EQUALS}[\\w.-]{1,100}-2[0-3](?!\\w)`,
  "i",
);
const IS_ADDRESS = new RegExp(`^[^=]*=(?:/|${encoded("2f")}|https?(?::|${encoded("3a")}))`, "i");
const ENCODED_EQUALS = new RegExp(encoded("3d"), "i");
/** Amazon reads the tag in the path of these old addresses. */
const OLD_PATH = /^\/(?:-\/[^/]*\/)?(?:exec|o)\//i;

/**
 * The address of a store page with those parameters in its query that stand where Amazon does not read them: behind `&` or `/`
 * in the path, behind a second `?`, behind `#`, or with encoded separators. Other bytes stay.
 * @param url of a store page, with or without a fragment
 * @returns null if all stand where Amazon reads them
 */
export function readableAddress(url: string): string | null {
  const [, origin = "", path = "", query = "", fragment = ""] =
    /^(https?:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/is.exec(url) ?? [];
  const inQuery = query.split("&").flatMap(splitParameter);
  const [, place = "", inFragment] = /^(.*?)(?:[#?&]|(?<=#))(tag=[^&]+)$/is.exec(fragment) ?? [];
  const isQueryReadable = inFragment === undefined && inQuery.join("&") === query;
  // Reading a page takes long, and few addresses need it: those of visits do not.
  if (isQueryReadable && !MAY_BE_IN_PATH.test(path)) return null;
  const page = parseStorePage(url);
  if (page === null) return null;
  const inPath = page.kind === "product" ? afterProduct(path, page.asin) : afterTag(path);
  if (isQueryReadable && inPath === null) return null;
  const parameters = [...inQuery, ...(inPath?.parameters ?? []), inFragment ?? ""].filter(
    (each) => !/^(?:tag=?)?$/i.test(each),
  );
  const rest = inFragment === undefined ? fragment : place.replace(/^#$/, "");
  const readable = `${origin}${inPath?.path ?? path}${parameters.length === 0 ? "" : `?${parameters.join("&")}`}${rest}`;
  const isSamePage = page.kind !== "product" || parseStorePage(readable)?.canonicalUrl === page.canonicalUrl;
  return isSamePage ? readable : null;
}

interface ParametersInPath {
  path: string;
  parameters: string[];
}

function afterProduct(path: string, asin: string): ParametersInPath | null {
  const at = path.search(new RegExp(`/${asin}`, "i"));
  if (at === -1) return null;
  const start = at + 1 + asin.length;
  const [kept = "", ...joined] = path.slice(start).split(IN_PATH);
  const segments = kept.split("/");
  const isTag = (segment: string) => isNamedTag(segment) || (TAG_IN_SEGMENT.test(segment) && !OLD_PATH.test(path));
  const tags = segments
    .filter(isTag)
    .map((segment) => (isNamedTag(segment) ? readParameter(segment) : `tag=${segment}`));
  if (joined.length === 0 && tags.length === 0) return null;
  return {
    path: path.slice(0, start) + segments.filter((segment) => !isTag(segment)).join("/"),
    parameters: [...joined.map(readParameter), ...tags],
  };
}

/** Other paths may have an `&`, so only what has a tag is taken for parameters. */
function afterTag(path: string): ParametersInPath | null {
  const segments = path.split("/");
  const tag = segments.findLast(isNamedTag);
  if (tag !== undefined) {
    return { path: segments.filter((each) => each !== tag).join("/"), parameters: [readParameter(tag)] };
  }
  if (!TAG_IN_PATH.test(path)) return null;
  const [kept = "", ...joined] = path.split(IN_PATH);
  return { path: kept, parameters: joined.map(readParameter) };
}

/** A title may end in other numbers: `/Black-XL-24`. */
const TAG_IN_SEGMENT = /^[a-z\d][\w.-]{0,99}-2[0-3]$/i;
const NAMED_TAG = new RegExp(`^${TAG}.`, "i");
const isNamedTag = (segment: string) => NAMED_TAG.test(segment);

/** Reads a parameter without the text after a slash, such as `/ref=nosim`. */
function readParameter(text: string): string {
  const [parameter = ""] = text.split("/");
  return parameter.includes("=") ? parameter : parameter.replace(ENCODED_EQUALS, "=");
}

function splitParameter(parameter: string): string[] {
  if (IS_ADDRESS.test(parameter) || !TAG_IN_PARAMETER.test(parameter)) return [parameter];
  return parameter.split(IN_PARAMETER).map(readParameter);
}
