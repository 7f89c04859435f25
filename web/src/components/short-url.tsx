import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";

interface ShortUrlProps {
  link: { shortUrl: string; shortCode: string };
}

/** A short link's address; where one line has no room for it, it breaks before its path. */
export function ShortUrl({ link: { shortUrl, shortCode } }: ShortUrlProps) {
  const path = `${SHORT_LINK_PATH_PREFIX}${shortCode}`;
  return (
    <>
      {shortUrl.slice(0, -path.length)}
      <wbr />
      {path}
    </>
  );
}
