export const reportedLinks = "Reported links";
export const whichReports = "Which reports";
export const reportViews = { open: "Open", decided: "Decided" };
export const openReports = (count: number) =>
  count === 1 ? "1 reported link is open." : `${count} reported links are open.`;
export const reportKeys =
  "Keys: J and K move, T takes the link down, D dismisses its reports, U undoes.";
export const noReports = {
  open: "No reported link is open.",
  decided: "No report has been decided yet.",
};
export const reportStates = { dismissed: "Dismissed", "taken-down": "Taken down" };
export const reasonCount = (reason: string, count: number) => `${reason}: ${count}`;
export const reportedAt = (first: string, last: string) =>
  first === last ? `Reported ${first}` : `Reported ${first} to ${last}`;
export const linkCreatedOn = (day: string) => `created ${day}`;
export const decide = { "taken-down": "Take down", dismissed: "Dismiss", open: "Undo" };
export const decideAbout = {
  "taken-down": (name: string) => `Take down ${name}`,
  dismissed: (name: string) => `Dismiss the reports of ${name}`,
  open: (name: string) => `Undo the decision about ${name}`,
};
export const reportDecided = {
  "taken-down": (code: string) => `${code} was taken down. Visitors see that it no longer works.`,
  dismissed: (code: string) => `The reports of ${code} were dismissed.`,
  open: (code: string) => `The reports of ${code} are open again.`,
};
export const undoDecision = "Undo on the row of the link";
export const failedToDecide = "The decision was not saved. Please try again.";
