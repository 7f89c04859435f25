/**
 * Pages of Amazon's stores that are refused as destinations: redirectors, which can lead to any site, and pages that
 * sign in or out. Pages below a listed one are refused too; `*` is any text within one segment. Sources: as named,
 * else addresses in public source code, seen on 2026-11-21.
 */
const REFUSED_PATHS = [
  // Sign-in, registration and consent pages, which return to `openid.return_to` or `redirect_uri`.
  // developer.amazon.com/docs/login-with-amazon/authorization-code-grant.html
  "ap",
  // The newer sign-in page, with `openid.return_to`; it leads on to /ap/signin.
  "ax/claim",
  // Redirects to /ap/signin.
  "gp/sign-in*",
  // Signs the visitor out, then redirects to `path`.
  "gp/flex/sign-out*",
  // Signs in or switches the account, then redirects to `currentPageURL` or `yshURL`.
  "gp/navigation/redirector*",
  // Redirects to `location`, on other sites too. Amazon's own share buttons use it. ClearURLs/rules#26
  "gp/redirect*",
  // Click counters of Amazon's emails, which redirect to `U`.
  "gp/r.html",
  "gp/f.html",
  // Links of sponsored products until about 2022, which redirect to `url`. ClearURLs/Addon#15,
  // Jdhaimson/smilealways#39
  "gp/slredirect*",
  // Redirectors of the mobile site; /gp/aw/rd.html redirects to `url`.
  "gp/aw/*redirect*",
  "gp/aw/*/*redirect*",
  "gp/aw/rd.html",
  // The oldest links of associates, which redirect to `path`.
  "exec/obidos/*redirect*",
  "o/redirect*",
  // Links of sponsored products, which redirect to `url`. sponsored-link.ts resolves those that certainly lead to a
  // product. leon-cleaning-services/leon#813
  "sspa",
].map((pattern) => pattern.split("/"));

const PATTERNS = REFUSED_PATHS.map((names) => names.map(toRegExp));

/** Without `*`. Most paths have none of them, and are not compared with the patterns, which takes longer. */
const FIRST_NAMES = new Set(REFUSED_PATHS.map(([name]) => name));

function toRegExp(segment: string): RegExp {
  return new RegExp(`^${segment.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
}

/** Amazon's own addresses are percent-encoded twice at most. */
const MAX_DECODINGS = 3;

/**
 * Returns true if a store's path, as typed, leads to a refused page in any way that a server might read it: in upper or
 * lower case, with empty and dot segments, path parameters (`;x`), control characters, blanks, dots at the end of a
 * segment, percent-encoded up to three times, below any language prefix (`/-/en/`). A path with more layers of
 * encoding is refused.
 */
export function isRefusedPath(path: string): boolean {
  let reading = path;
  for (let decodings = 0; decodings <= MAX_DECODINGS; decodings++) {
    if (entersRefusedPage(reading)) return true;
    const decoded = decodeAscii(reading);
    if (decoded === reading) return false;
    reading = decoded;
  }
  return true;
}

function decodeAscii(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** Also true if a later `..` leaves the page again, because not every server resolves `..`. */
function entersRefusedPage(path: string): boolean {
  const names: string[] = [];
  let mayEnter = false;
  for (const part of path.split(/[/\\]/)) {
    const name = readName(part);
    if (name === "..") names.pop();
    else if (name !== "") {
      names.push(name);
      mayEnter ||= FIRST_NAMES.has(name);
      if (mayEnter && PATTERNS.some((pattern) => endsWith(names, pattern))) return true;
    }
  }
  return false;
}

/** @returns an empty string for a segment that a server may skip */
function readName(segment: string): string {
  const isUsual = /^[\w-]*$/.test(segment);
  if (isUsual) return segment.toLowerCase();
  const name = segment
    .replace(/[;?#\0].*/s, "")
    .replace(/[\p{Cc}\s]/gu, "")
    .toLowerCase();
  return name === ".." ? name : name.replace(/(?<!\.)\.+$/, "");
}

/** Returns true if the names end with the pattern, with nothing before it but language prefixes: `-`, then perhaps a language. */
function endsWith(names: string[], pattern: RegExp[]): boolean {
  const start = names.length - pattern.length;
  return (
    start >= 0 &&
    pattern.every((name, i) => name.test(names[start + i] ?? "")) &&
    names.slice(0, start).every((name, at) => name === "-" || names[at - 1] === "-")
  );
}
