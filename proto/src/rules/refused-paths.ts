/**
 * Pages of Amazon's stores that no link may lead to: redirectors, which may send a visitor to any site,
 * and pages that sign in or out. A page below a listed one is refused too; `*` is any text within one
 * segment. Sources: as named, else addresses in public source code, seen on 2026-11-21.
 */
const REFUSED_PATHS = [
  // Sign-in, registration and consent pages, which return to `openid.return_to` or `redirect_uri`.
  // developer.amazon.com/docs/login-with-amazon/authorization-code-grant.html
  "ap",
  // The newer sign-in page, with `openid.return_to`; it leads on to /ap/signin.
  "ax/claim",
  // Leads to /ap/signin.
  "gp/sign-in*",
  // Signs the visitor out, then goes to `path`.
  "gp/flex/sign-out*",
  // Signs in or switches the account, then goes to `currentPageURL` or `yshURL`.
  "gp/navigation/redirector*",
  // Goes to `location`, on other sites too, as Amazon's own share buttons do. ClearURLs/rules#26
  "gp/redirect*",
  // Click counters of Amazon's e-mails, which go to `U`.
  "gp/r.html",
  "gp/f.html",
  // Sponsored products until about 2022, go to `url`. ClearURLs/Addon#15, Jdhaimson/smilealways#39
  "gp/slredirect*",
  // The mobile site's; /gp/aw/rd.html goes to `url`.
  "gp/aw/*redirect*",
  "gp/aw/*/*redirect*",
  "gp/aw/rd.html",
  // The oldest links of associates, which go to `path`.
  "exec/obidos/*redirect*",
  "o/redirect*",
  // Sponsored products, go to `url`: sponsored-link.ts resolves those that certainly are products.
  // leon-cleaning-services/leon#813
  "sspa",
].map((pattern) => pattern.split("/").map(toRegExp));

function toRegExp(segment: string): RegExp {
  return new RegExp(`^${segment.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
}

/**
 * Whether a store's path leads to a refused page in any way a server might read it: in any case, with
 * empty and dot segments, percent-encoded up to three times, with path parameters (`;x`), below any
 * language prefix (`/-/en/`).
 */
export function isRefusedPath(path: string): boolean {
  const readings = [path];
  for (const reading of readings) {
    const decoded = decodeAscii(reading);
    if (decoded !== reading && readings.length <= 3) readings.push(decoded);
  }
  return readings.some((reading) => {
    const segments = readSegments(reading);
    const prefixEnd = segments.findIndex((name, at) => name !== "-" && segments[at - 1] !== "-");
    const lastStart = prefixEnd === -1 ? segments.length : prefixEnd;
    return REFUSED_PATHS.some((pattern) => isBelow(segments, lastStart, pattern));
  });
}

function decodeAscii(path: string): string {
  return path.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

function readSegments(path: string): string[] {
  const segments: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    const name = part.replace(/[;?#].*/s, "").toLowerCase();
    if (name === "..") segments.pop();
    else if (name !== "" && name !== ".") segments.push(name);
  }
  return segments;
}

/** Also with the language prefix cut anywhere, as "-" may be followed by the page itself. */
function isBelow(segments: string[], lastStart: number, pattern: RegExp[]): boolean {
  for (let start = 0; start <= lastStart; start++) {
    if (pattern.every((name, i) => name.test(segments[start + i] ?? ""))) return true;
  }
  return false;
}
