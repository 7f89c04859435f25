import { parseAsin } from "./product-id.ts";

export type ParsedPath =
  | { kind: "product"; asin: string; tag: string | null }
  | { kind: "storefront"; handle: string; canonicalPath: string }
  /** `lacksAsin`: it is the path of a product, but what should be its ASIN is missing or malformed. */
  | { kind: "other"; lacksAsin: boolean };

/** The segments that precede an ASIN. The longest match wins, so longer ones come first. `*` is any segment. */
const MARKERS = [
  "exec/obidos/tg/detail/-",
  "exec/obidos/asin",
  "gp/product/glance",
  "gp/product",
  "gp/offer-listing",
  "gp/aw/d",
  "dp/product",
  "dp/tracks",
  "dp",
  "o/asin",
  "product-reviews",
  "^d/*/*",
  "^product",
  "^gp",
].map((pattern) => {
  const names = pattern.replace("^", "").split("/");
  return {
    names,
    isAtStart: pattern.startsWith("^"),
    /** If no ASIN follows, later markers are ignored. */
    isFinal: /^\^?(?:dp|gp|o|exec)\b/.test(pattern),
    takesAsinParameter: pattern === "gp/aw/d" || pattern === "gp/offer-listing",
    takesTag: names[0] === "o" || names[0] === "exec",
  };
});

/** The segments of a path without the language prefix (`/-/en/`, `/-/pt_BR/`). */
export function splitPath(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  const isPrefixed = parts[0] === "-" && /^[a-z]{2}(?:_[a-z]{2})?$/i.test(parts[1] ?? "");
  return isPrefixed ? parts.slice(2) : parts;
}

/**
 * The page that a store's path leads to. Never reads an ASIN from a parameter that contains an address, nor from an id
 * below a storefront.
 */
export function parsePath(path: string, query: URLSearchParams): ParsedPath {
  const parts = splitPath(path);
  return readStorefront(path, parts) ?? readProduct(parts, query);
}

function readStorefront(path: string, [root, ...below]: string[]): ParsedPath | null {
  const first = below[0];
  if (first === undefined) return null;
  switch (root?.toLowerCase()) {
    case "shop":
      return { kind: "storefront", handle: first, canonicalPath: `/shop/${first}` };
    case "stores":
      return { kind: "storefront", handle: storesHandle(below) ?? first, canonicalPath: path };
    default:
      return null;
  }
}

/** The id in `page/<id>`, `author/<id>` or `node/<id>`, with or without a name before it. */
function storesHandle(below: string[]): string | undefined {
  const at = below.findIndex((part) => /^(?:page|author|node)$/i.test(part));
  return at === -1 ? undefined : below[at + 1];
}

function readProduct(parts: string[], query: URLSearchParams): ParsedPath {
  let lacksAsin = false;
  const names = parts.map((part) => part.toLowerCase());
  for (let at = 0; at < names.length; at++) {
    const marker = MARKERS.find(
      ({ names: wanted, isAtStart }) =>
        !(isAtStart && at > 0) &&
        wanted.every((name, i) => name === names[at + i] || (name === "*" && at + i < names.length)),
    );
    if (marker === undefined) continue;
    const [next, ...rest] = parts.slice(at + marker.names.length);
    const isBare = next === undefined || isRef(next);
    const candidate = isBare && marker.takesAsinParameter ? query.get("asin") : next;
    const asin = parseAsin(candidate ?? "");
    if (asin !== null) {
      return { kind: "product", asin, tag: marker.takesTag ? pathTag(rest) : null };
    }
    lacksAsin ||= !marker.isAtStart;
    if (marker.isFinal) break;
  }
  return { kind: "other", lacksAsin };
}

/**
 * The tag in a path such as `/exec/obidos/ASIN/080442957X/ref=nosim/mystore-20`; old paths may end with a session
 * id.
 */
function pathTag(parts: string[]): string | null {
  const [tag, ...others] = parts.filter((part) => !isRef(part) && !/^[0-9]{3}-[0-9]{7}-[0-9]{7}$/.test(part));
  return tag !== undefined && others.length === 0 && /^[\w.-]{1,64}$/.test(tag) ? tag : null;
}

export function isRef(part: string): boolean {
  return /^ref=/i.test(part);
}
