const SHORT_URL_DISPLAY_LENGTH = 30;
const DOTS_LENGTH = 3;

/** A short URL. If it does not fit on one line, it breaks before its path. */
export function ShortUrl({ link: { shortUrl } }: { link: { shortUrl: string } }) {
  const pathStart = shortUrl.indexOf("/", "https://".length);
  return <BreakingUrl host={shortUrl.slice(0, pathStart)} path={shortUrl.slice(pathStart)} />;
}

/** Without the scheme, in at most 30 characters. */
export function ReadableShortUrl({ shortUrl }: { shortUrl: string }) {
  return <BreakingUrl {...readableShortUrl(shortUrl, SHORT_URL_DISPLAY_LENGTH)} />;
}

/**
 * A short URL as people read it: without scheme, and its host shortened so that both have at most `maxLength`
 * characters. The path, which has the code, is never cut.
 */
export function readableShortUrl(url: string, maxLength: number): { host: string; path: string } {
  const { host, pathname: path } = new URL(url);
  const space = maxLength - path.length;
  if (host.length <= space) return { host, path };
  const start = host.slice(0, Math.max(0, space - DOTS_LENGTH));
  // A dot of the host would read as a fourth one.
  return { host: `${start.replace(/\.$/, "")}...`, path };
}

function BreakingUrl({ host, path }: { host: string; path: string }) {
  return (
    <>
      {host}
      <wbr />
      {path}
    </>
  );
}
