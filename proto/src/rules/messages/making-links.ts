import type { Defect } from "../amazon/defects.ts";
import { LINKS_AT_ONCE_MAX } from "../limits.ts";

// A pasted link
export const enterAmazonUrl = "Please enter an Amazon URL";
export const enterValidAmazonUrl = "Please enter a valid Amazon URL";
export const invalidAmazonUrl = "Invalid Amazon URL";
export const notAShoppingPage = (host: string) => `${host} is not an Amazon shopping page`;
export const linkTooLong = "This link is too long. Please use a shorter link to the same page.";
export const linkIsIncomplete = "This link is incomplete. Please copy the whole link.";
export const homeTitle = "Amazon links that open in the app";
export const homeTagline =
  "Paste a link, share the short one. On a phone it opens the Amazon app, and your tag stays on it.";
export const homePlaceholder = "Paste a dp, gp or storefront link";
export const homePoints = {
  app: ["Opens the app", "One tap opens the Amazon app on iPhone and Android."],
  tag: ["Keeps your tag", "Every parameter stays exactly as you pasted it."],
  desktop: ["Works on desktop", "Opens the original Amazon page."],
} as const;
export const linkFieldLabel = "Amazon product or store link";
export const linkFieldHint = "amzn.to and a.co links work too.";
const defects: Record<Defect, string> = {
  "text-around": "has other text around it, or no https://",
  entities: "has HTML codes such as &amp; in it",
  wrapper: "is inside an address of another site",
  "tag-name": "has its tag under another name than tag",
  "several-tags": "has several tags, of which Amazon may count any",
  "empty-tag": "has an empty tag",
};
export const whyRepair = (found: readonly Defect[]) =>
  `This address ${found.map((defect) => defects[defect]).join(", and ")}.`;
export const pastedAddress = "Pasted";
export const repairedAddress = "Repaired";
export const takeRepair = "Use the repaired address";
export const linkFieldWaitsForEnter = "Press Enter when your link is complete.";
export const linkPlaceholder = "Paste your Amazon link here...";
export const failedToProcessShortLink =
  "Failed to process the shortened Amazon link. Please try using the full Amazon URL.";
export const notAShortLink = "This is not a shortened Amazon link.";
export const serverFailedToResolve = "Server failed to resolve the short link";
export const failedToResolveShortLink = "Failed to resolve Amazon short link";

// Making a link
export const linkGenerated = "Link generated!";
export const linkExists = "You already have this link";
export const linkReadyToShare = "Your deep link is ready to be shared";
export const redirectingToDetails = "Redirecting to link details...";
export const generatingLink = "Generating your link...";
export const checkingForRobots = "Checking that you are not a robot…";
export const resultLabel = "Your short link";
export const linkInProgress =
  "Your last link is still being created. Please paste again when it is ready.";
export const failedToGenerateLink = "Failed to generate link";
export const serverError = (text: string) => `Server error: ${text}`;
export const anonymousLinkWarning = "This link expires in 7 days. Sign up to keep it.";
export const createNewLink = "Create New Link";

// Copying
export const copyLink = "Copy link";
export const copied = "Copied!";
export const linkCopied = "Link copied to clipboard";
export const failedToCopyLink = "Failed to copy link";
export const failedToCopyLinkTryAgain = "Failed to copy link. Please try again.";

export const addYourTag = "Add your tag";
export const yourTagFor = (store: string) => `Your Associates tag for ${store}`;
export const tagExample = (suffix: string | null) => `For example mystore${suffix ?? "-20"}`;
export const tagRequired = "Please enter your tag";
export const tagMalformed =
  "A tag has only letters, digits, hyphens and underscores, at most 64 in total";
export const addTagKeepsLink = "Creates a new short link. The one without a tag keeps working.";
export const createLinkWithTag = "Create link with tag";
export const failedToOpenTagForm = "Failed to open the form. Please reload the page.";

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
