export const share = "Share";
export const shareLink = "Share link";
export const failedToShareLink = "Failed to share link. Please try again.";
export const qrCode = "QR code";
export const showQrCode = "Show QR code";
export const qrCodeOf = (shortUrl: string) => `QR code of ${shortUrl}`;
export const downloadSvg = "Download SVG";
export const downloadPng = "Download PNG";
export const failedToMakeQrCode = "Failed to make the QR code. Please reload the page.";
export const qrCodeTagNotice =
  "Amazon's rules refuse affiliate tags offline, in QR codes and in mail. Print or mail the link without a tag; its taps are counted apart.";
export const qrCodeKind = "QR code of";
export const qrCodeKinds = {
  tagged: "Link with your tag",
  untagged: "Link without tag",
} as const;
export const copyForEmail = "Copy for email";
export const untaggedCopied =
  "Copied the link without tag: Amazon's rules refuse tags in mail. Its taps are counted apart.";
export const failedToUntag = "The link without tag could not be made. Please try again.";
export const affiliateTag = "Affiliate tag";
export const tagMissing = "This link has no tag, so you earn nothing from purchases.";
export const tagValid = "Your tag is kept in the app and in every browser.";
export const tagAttribution =
  "This is an Amazon Attribution tag. It reports to a seller and is not an Associates tag.";
export const severalTags =
  "This link has more than one tag, and Amazon doesn't say which one counts.";
export const tagForeign = (store: string, suffix: string) =>
  `Tags for ${store} usually end in ${suffix}. A tag earns only in the store it was issued for.`;
export const tagServedByOneLink = (store: string) =>
  `Amazon OneLink pays this tag on ${store}, as you said under Stores and tags.`;
export const tagNeedsOneLink = (store: string) =>
  `This looks like a tag for amazon.com. It earns on ${store} only if you set up Amazon OneLink there.`;
export const sayWhereOneLinkServes = "Choose the stores that OneLink serves";
export const tagUnusual =
  "Tags usually end in a hyphen and a number from 20 to 23. Please check it for typing mistakes.";
export const disclosure = "Disclosure";
export const disclosureAdvice = "Amazon requires a disclosure:";
export const disclosureAccount = "As an Amazon Associate I earn from qualifying purchases.";
export const disclosureLink = "#ad";
export const copyDisclosure = (text: string) => `Copy "${text}"`;
export const textCopied = "Text copied to clipboard";
export const failedToCopyText = "Failed to copy the text. Please try again.";
