export const openingStatusTitle = "How often the Amazon app opens";
export const openingStatusIntro =
  "A short link that is tapped on a phone opens a page that tries to open the Amazon app. Here is how often that worked, in each app and version in which people tapped. All links are counted together.";
export const openingStatusPeriod = (days: number) => `Last ${days} days`;
export const openingStatusNone = (count: number) =>
  `Too few reports yet. An app appears here after ${count} reports.`;
export const openingStatusFailed = "The open rates could not be loaded. Please try again.";
export const loadingOpeningStatus = "Loading open rates...";
export const appOnSystem = (app: string, system: string) => `${app} on ${system}`;
export const openedOf = (opened: string, tried: string) => `${opened} of ${tried} pages opened it`;
export const versionsOf = (name: string) => `Versions of ${name}`;
export const hideVersionsOf = (name: string) => `Hide versions of ${name}`;
export const openRate = "Open rate";
export const reportCount = "Reports";
export const appVersion = "Version";
export const otherVersions = "Other versions";
export const howThisIsCounted = "How this is counted";
export const openingStatusRules = ({ seconds, reports }: { seconds: number; reports: number }) => [
  "Reports: the page tried to open the Amazon app, by itself or at a tap, and reported once how that ended. The open rate is the share of these pages on which the app opened.",
  "Opened: the page was left. On Android a page does not know whether it was left for the Amazon app, the app store or anything else, so every page that was left counts.",
  `Not opened: the page was still in view after ${seconds} seconds, or the person chose another button. People without the Amazon app are among them.`,
  `Apps with fewer than ${reports} reports are left out. Versions with fewer than ${reports} are added up as other versions, so that no visitor can be recognized. No link and nothing about a person is stored with these numbers.`,
];
export const strategyTables = "Versions of the rules";
export const strategyTablesText =
  "How the page opens the Amazon app in each app is a table of rules. Each change gives it a new version. Days are in UTC.";
export const firstReport = "First report";
export const lastReport = "Last report";
export const howOftenThisWorks = "How often this works";
