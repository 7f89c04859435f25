import type { ReportReason } from "../report-reasons.ts";

export const reportLinkTitle = "Report a link";
export const reportLinkText =
  "Report a short link that breaks the rules. We do not store who you are.";
export const shortLinkField = "Short link";
export const shortLinkHint = "The whole address, or the seven characters at its end";
export const reasonQuestion = "What is wrong with it?";
export const reportReasons: Record<ReportReason, { name: string; text: string }> = {
  misleading: {
    name: "It misleads",
    text: "It does not lead where it claims to",
  },
  harmful: {
    name: "It does harm",
    text: "It is part of a scam, or shows something dangerous or forbidden",
  },
  spam: { name: "It is spam", text: "It was sent to me without my consent" },
  other: { name: "Something else", text: "None of these" },
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
