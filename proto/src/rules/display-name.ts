/** A title's first period or hyphen ends a display name only from this position on, counted from 0. */
const TITLE_CUT_MIN_POSITION = 40;

export interface NamedLink {
  nickname: string | null;
  title: string | null;
  originalUrl: string;
}

/** @param host of PUBLIC_BASE_URL; a title that equals it is ignored */
export function displayName({ nickname, title, originalUrl }: NamedLink, host: string): string {
  if (nickname) return nickname;
  if (title && title !== host) return cutTitle(title);
  const [, id] = /^[^?#]*?\/(?:dp|gp\/product)\/([A-Za-z0-9]+)/.exec(originalUrl) ?? [];
  return id === undefined ? "Amazon Product" : `Amazon Product: ${id}`;
}

function cutTitle(title: string): string {
  const end = title.search(/[.-]/);
  return end >= TITLE_CUT_MIN_POSITION ? title.slice(0, end) : title;
}
