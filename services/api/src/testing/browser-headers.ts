export interface BrowserHeaders extends Record<string, string> {
  cookie: string;
  origin: string;
}

export function newBrowser({ publicBaseUrl }: { publicBaseUrl: string }): BrowserHeaders {
  return { cookie: "", origin: publicBaseUrl };
}

/** @returns the browser with the cookies of the response */
export function withCookies(browser: BrowserHeaders, response: Response): BrowserHeaders {
  const jar = readCookies(browser);
  for (const cookie of response.headers.getSetCookie()) {
    const [name, value] = splitCookie(cookie.split(";")[0] ?? "");
    if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }
  return { ...browser, cookie: writeCookies([...jar]) };
}

/** @returns the browser with the cookies of another one, but not those of its session */
export function withLogin<B extends Record<string, string>>(browser: B, other: BrowserHeaders): B & { cookie: string } {
  const cookies = [...readCookies(other)].filter(([name]) => !/^(__Host-)?sid/.test(name));
  return { ...browser, cookie: writeCookies([...new Map([...readCookies(browser), ...cookies])]) };
}

const readCookies = ({ cookie = "" }: { cookie?: string }) =>
  new Map(cookie.split("; ").filter(Boolean).map(splitCookie));

const writeCookies = (cookies: [string, string][]) => cookies.map(([name, value]) => `${name}=${value}`).join("; ");

function splitCookie(cookie: string): [string, string] {
  const [name = "", ...value] = cookie.split("=");
  return [name, value.join("=")];
}
