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
export const reportsFromTo = (first: string, last: string) =>
  first === last ? `Reports of ${first}` : `Reports from ${first} to ${last}`;
export const firstTable = "The first version.";
export const unknownTable =
  "A version of the operator of this site. It is no longer in use, and what it changed is not stored.";
export const noRuleChanged = (previous: string) => `No rule is different from ${previous}.`;
export const rulesChanged = (count: number, previous: string) =>
  `${count === 1 ? "1 rule is" : `${count} rules are`} different from ${previous}`;
export const hideRulesChanged = (previous: string) => `Hide what is different from ${previous}`;
export const ruleChanges = { added: "New rule", removed: "Removed rule", changed: "Changed rule" };
export const ruleFields = {
  open: "First button",
  mode: "The app opens",
  escape: "Way out of the app",
  from: "From version",
  below: "Below version",
  percent: "Share of visitors",
  checked: "Checked on",
  source: "Source",
};
export const ruleValues: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  open: {
    scheme: "Amazon app, by its scheme",
    intent: "Amazon app, by an intent",
    escape: "the way out of the app",
    web: "Amazon's website",
  },
  mode: { auto: "by itself", tap: "after a tap" },
  escape: {
    safari: "a link that opens Safari",
    instagram: "a link of Instagram",
    threads: "a link of Threads",
    kakaotalk: "a link of KakaoTalk",
    line: "a link of LINE",
    "by-hand": "the app's own menu",
  },
};
export const noRuleValue = "none";
export const ruleValueBefore = (value: string) => `Before: ${value}`;
export const ruleValueNow = (value: string) => `Now: ${value}`;
export const howOftenThisWorks = "How often this works";
