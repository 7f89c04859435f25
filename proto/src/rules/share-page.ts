/** The page to which other apps, shortcuts and bookmarks send a text with an Amazon link: `?title=&text=&url=`. */
export const SHARE_PAGE = "/share";
