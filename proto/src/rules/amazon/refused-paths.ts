/**
 * Pages of Amazon's stores that are refused as destinations: redirectors, which can lead to any site, pages that sign in
 * or out, and errors. Pages below a listed one are refused too; `*` is any text within one segment, `**` any segments
 * that are no ASIN. Sources: as named, else addresses in public source code, seen on 2026-11-21.
 */
const REFUSED_PATHS = [
  // Sign-in, registration and consent pages, which return to `openid.return_to` or `redirect_uri`.
  // developer.amazon.com/docs/login-with-amazon/authorization-code-grant.html
  "ap",
  // The newer sign-in page, with `openid.return_to`; it leads on to /ap/signin.
  "ax/claim",
  // They redirect to /ap/signin, and to `path` after signing out.
  ...["gp/sign-in*", "gp/flex/sign-out*"],
  // The robot check, /errors/validateCaptcha with the page in `amzn-r`, and other errors.
  ...["errors", "gp/errors"],
  // Click counters of Amazon's emails, which redirect to `U`.
  ...["gp/r.html", "gp/f.html"],
  // Redirects to `url`, on the mobile site.
  "gp/aw/rd.html",
  // Share buttons use /gp/redirect.html?location=, with other sites too (ClearURLs/rules#26), sponsored products had
  // /gp/slredirect/…?url= until about 2022 (ClearURLs/Addon#15), the oldest links of associates /exec/obidos/redirect?path=.
  ...["gp", "exec", "o", "hz"].map((root) => `${root}/**/*redirect*`),
  // Unless it is the slug of a product: /redirect/dp/….
  ...["redirect", "redirect.html", "redirector"],
  // Links of sponsored products, which redirect to `url`. sponsored-link.ts resolves those that certainly lead to a
  // product. leon-cleaning-services/leon#813
  "sspa",
];

/** Without `*`. Most paths have none of them, and are not compared with the pattern, which takes longer. */
const FIRST_NAMES = new Set(REFUSED_PATHS.map((path) => path.split("/")[0]));

/** Names with nothing before the page but language prefixes: `-`, then perhaps a language. */
const REFUSED = new RegExp(`^(?:-/(?:(?!-/)[^/]+/)?)*(?:${REFUSED_PATHS.map(toPattern).join("|")})(?:/|$)`);

function toPattern(path: string): string {
  return path
    .replaceAll(".", "\\.")
    .replaceAll("*", "[^/]*")
    .replace("[^/]*[^/]*/", "(?:(?!b[0-9a-z]{9}/|[0-9]{9}[0-9x]/)[^/]+/)*")
    .replace(/^redirect$/, "redirect(?!/dp/)");
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

const SITE = /^(?:[^@]*@)?(?:(?:[a-z0-9%-]+\.)+(?:[a-z]{2,}|xn--[a-z0-9-]+)|(?:[0-9]+\.){3}[0-9]+)\.?(?::[0-9]*)?$/;

/**
 * Also true if a later `..` leaves the page again, because not every server resolves `..`, and for a path that begins as
 * the address of a site (`//evil.example`), to which servers redirect that change the end of a path.
 */
function entersRefusedPage(path: string): boolean {
  const names: string[] = [];
  let mayEnter = false;
  let emptyNames = 0;
  for (const part of path.split(/[/\\]/)) {
    const name = readName(part);
    if (name === "..") {
      if (mayEnter && REFUSED.test(names.join("/"))) return true;
      names.pop();
    } else if (name === "") emptyNames += names.length === 0 ? 1 : 0;
    else {
      if (emptyNames > 1 && names.length === 0 && SITE.test(name)) return true;
      names.push(name);
      mayEnter ||= FIRST_NAMES.has(name);
    }
  }
  return mayEnter && REFUSED.test(names.join("/"));
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
