import type { UnhealthyState } from "../link-health.ts";

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
  "product-gone": "Change the destination of the link to another product. The short link stays the same.",
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
