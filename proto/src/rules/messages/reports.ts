import type { ReportReason } from "../report-reasons.ts";

export const reportLinkTitle = "Report a link";
export const reportLinkText =
  "Tell us about a short link that should not be there. We do not keep who you are.";
export const shortLinkField = "Short link";
export const shortLinkHint = "The whole address, or the seven characters at its end";
export const reasonQuestion = "What is wrong with it?";
export const reportReasons: Record<ReportReason, { name: string; text: string }> = {
  misleading: {
    name: "It misleads",
    text: "It leads somewhere else than I was told",
  },
  harmful: {
    name: "It does harm",
    text: "It is part of a scam, or shows something dangerous or forbidden",
  },
  spam: { name: "It is spam", text: "It was sent to me without my asking for it" },
  other: { name: "Something else", text: "None of these" },
};
export const enterShortLink = "Please enter a short link of this site";
export const chooseReason = "Please choose a reason";
export const sendReport = "Send report";
export const sendingReport = "Sending...";
export const reportSent = "Thank you for your report";
export const reportSentText =
  "If the link breaks our rules, it will stop working. There is nothing more for you to do.";
export const reportAnother = "Report another link";
export const failedToSendReport = "Your report could not be sent. Please try again.";
