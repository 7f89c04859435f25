import { readableShortUrl } from "@tapthru/proto/rules/readable-short-url";

const SHORT_URL_DISPLAY_LENGTH = 30;

/** A short URL. If it does not fit on one line, it breaks before its path. */
export function ShortUrl({ link: { shortUrl } }: { link: { shortUrl: string } }) {
  const pathStart = shortUrl.indexOf("/", "https://".length);
  return <BreakingUrl host={shortUrl.slice(0, pathStart)} path={shortUrl.slice(pathStart)} />;
}

/** Without the scheme, in at most 30 characters. */
export function ReadableShortUrl({ shortUrl }: { shortUrl: string }) {
  return <BreakingUrl {...readableShortUrl(shortUrl, SHORT_URL_DISPLAY_LENGTH)} />;
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
