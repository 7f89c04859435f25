import type { UnhealthyState } from "../link-health.ts";

// The section of the account
export const digest = "Weekly email";
export const digestText =
  "Once a week we can send you a list of your links that need attention, if there are any: the product is gone, out of stock or redirected, or your tag is missing or malformed.";
export const receiveDigest = "Send me the weekly email";
export const digestSwitchedOn = "You will get the weekly email.";
export const digestSwitchedOff = "You will not get the weekly email any more.";
export const failedToSaveDigest = "Failed to save this. Please try again.";
export const emailNotConfirmed = (email: string) =>
  `We do not know yet that ${email} is yours. We send the weekly email only to a confirmed address.`;
/** Another user may have an account with the same unconfirmed address. */
export const confirmToLogIn = "Confirm it, so that you can log in with it in every browser.";
export const sendConfirmation = "Confirm my address";
export const sendingConfirmation = "Sending...";
export const confirmationSent = (email: string) =>
  `We sent a link to ${email}. Open it, then come back to this page.`;
export const failedToSendConfirmation = "Failed to send the link. Please try again.";

// The email
export const digestSubject = (count: number) =>
  count === 1 ? "1 of your links needs attention" : `${count} of your links need attention`;
export const digestStates: Record<UnhealthyState, string> = {
  "product-gone": "Product gone",
  "redirected-elsewhere": "Redirected",
  "tag-missing": "No tag",
  "tag-malformed": "Check the tag",
  "out-of-stock": "Out of stock",
};
export const digestAdvice: Record<UnhealthyState, string> = {
  "product-gone":
    "Change the destination of the link to another product. The short link stays the same.",
  "redirected-elsewhere":
    "Open the link and see whether the page is what you mean. If not, change its destination. The short link stays the same.",
  "tag-missing": "Add your tag on the page of the link.",
  "tag-malformed":
    "Compare it with your tag at Amazon Associates. If it is right, save it under Stores and tags; if not, change the destination of the link.",
  "out-of-stock":
    "It may come back. Until then you can change the destination of the link. The short link stays the same.",
};
export const whatToDo = "What to do";
export const openLinkPage = "Open the page of this link";
export const moreLinks = (count: number) =>
  count === 1 ? "1 more link needs attention" : `${count} more links need attention`;
export const whyDigest = (productName: string) =>
  `You get this email at most once a week, because you have an account at ${productName}.`;
export const stopDigests = "Stop these emails";

// The page that ends them
export const unsubscribeQuestion = "Stop the weekly email?";
export const unsubscribeText =
  "We will no longer write to you when links of yours need attention. Your links and your account stay as they are.";
export const unsubscribeButton = "Stop these emails";
export const unsubscribed = "You will get no more of these emails";
export const unsubscribedText = "You can switch them on again on your account page.";
export const unsubscribeLinkInvalid = "This link is not valid";
export const unsubscribeLinkInvalidText =
  "Part of it may be missing. You can also switch the weekly email off on your account page.";
