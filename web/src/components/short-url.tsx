import { SHORT_LINK_PATH_PREFIX } from "@tapthru/proto/rules/limits";
import { shortenText } from "@tapthru/proto/rules/shorten-text";

interface ShortUrlProps {
  link: { shortUrl: string; shortCode: string };
  maxLength?: number;
}

/** A short URL. If it does not fit on one line, it breaks before its path. */
export function ShortUrl({ link: { shortUrl, shortCode }, maxLength }: ShortUrlProps) {
  const text = maxLength === undefined ? shortUrl : shortenText(shortUrl, maxLength);
  const pathStart = shortUrl.length - `${SHORT_LINK_PATH_PREFIX}${shortCode}`.length;
  return (
    <>
      {text.slice(0, pathStart)}
      <wbr />
      {text.slice(pathStart)}
    </>
  );
}
