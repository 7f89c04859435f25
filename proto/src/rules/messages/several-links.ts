import { LINKS_AT_ONCE_MAX } from "../limits.ts";

export const newLinks = "New links";
export const severalLinksHint = `You can paste up to ${LINKS_AT_ONCE_MAX} links at once.`;
export const dropLinkHere = "Drop your Amazon links here";
export const creatingLinks = (done: number, total: number) =>
  `Creating your links: ${done} of ${total} done`;
/** @param failed how many of the links could not be created */
export const linksCreated = (total: number, failed: number) => {
  const created = total - failed;
  const ready = created === 1 ? "1 link is ready" : `${created} links are ready`;
  return failed === 0 ? ready : `${ready}, ${failed} failed`;
};
export const linksWait = "Too many links in a minute. The rest will follow shortly.";
export const linksLeftOut = (count: number) =>
  `You can create up to ${LINKS_AT_ONCE_MAX} links at once. ${count} of them ${count === 1 ? "was" : "were"} left out.`;
export const tryAgainWith = (address: string) => `Try again with ${address}`;
export const copyAllLinks = "Copy all";
export const linksCopied = "Links copied to clipboard";
export const failedToCopyLinks = "Failed to copy the links. Please try again.";
export const done = "Done";
export const anonymousLinksWarning = "These links expire in 7 days. Sign up to keep them.";
