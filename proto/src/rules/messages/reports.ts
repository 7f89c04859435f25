import type { ReportReason } from "../report-reasons.ts";

export const reportLinkText = "Report a short link that breaks the rules. Reports are anonymous.";
export const shortLinkField = "Short link";
export const shortLinkHint = "The full link, or the part after /l/";
export const reasonQuestion = "What's wrong with this link?";
export const reportReasons: Record<ReportReason, { name: string; text: string }> = {
  misleading: {
    name: "Misleading",
    text: "It doesn't open what it promises",
  },
  harmful: {
    name: "Harmful",
    text: "A scam, or dangerous or illegal content",
  },
  spam: { name: "Spam", text: "It was sent to me without my consent" },
  other: { name: "Another reason", text: "None of the above" },
};
export const enterShortLink = "Please enter a short link of this site";
export const chooseReason = "Please choose a reason";
export const sendReport = "Send report";
export const sendingReport = "Sending...";
export const reportSent = "Thank you for your report";
export const reportSentText =
  "If the link breaks our rules, it will stop working. You do not need to do anything else.";
export const reportAnother = "Report another link";
export const failedToSendReport = "Your report could not be sent. Please try again.";
