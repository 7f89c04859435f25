/** Headers that a page of the site sends. */
export interface BrowserHeaders extends Record<string, string> {
  cookie: string;
  origin: string;
}

export function newBrowser({ publicBaseUrl }: { publicBaseUrl: string }): BrowserHeaders {
  return { cookie: "", origin: publicBaseUrl };
}

/** @returns the browser with the cookies of the response */
export function withCookies(browser: BrowserHeaders, response: Response): BrowserHeaders {
  const jar = new Map(browser.cookie.split("; ").filter(Boolean).map(splitCookie));
  for (const cookie of response.headers.getSetCookie()) {
    const [name, value] = splitCookie(cookie.split(";")[0] ?? "");
    if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...browser, cookie };
}

function splitCookie(cookie: string): [string, string] {
  const [name = "", ...value] = cookie.split("=");
  return [name, value.join("=")];
}
