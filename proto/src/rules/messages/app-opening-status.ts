export const openingStatusTitle = "How often the Amazon app opens";
export const openingStatusIntro =
  "On a phone a short link opens the Amazon app. Here is how often that worked, by the app in which people tapped. All links are counted together.";
export const openingStatusPeriod = (days: number) => `Last ${days} days`;
export const openingStatusNone = (count: number) =>
  `There are no numbers yet. An app appears here after ${count} taps.`;
export const openingStatusFailed = "The open rates could not be loaded. Please try again.";
export const loadingOpeningStatus = "Loading open rates...";
export const appOnSystem = (app: string, system: string) => `${app} on ${system}`;
export const openedOf = (opened: string, tried: string) => `${opened} of ${tried} taps`;
export const versionsOf = (name: string) => `Versions of ${name}`;
export const hideVersionsOf = (name: string) => `Hide versions of ${name}`;
export const openRate = "Open rate";
export const reportCount = "Taps";
export const appVersion = "Version";
export const otherVersions = "Other versions";
export const howThisIsCounted = "How this is counted";
export const openingStatusRules = ({ seconds, reports }: { seconds: number; reports: number }) => [
  "A tap counts once: the Amazon app opened, or it did not.",
  "Opened: the person left our page. On Android we can't see for which app, so every tap after which they left counts.",
  `Not opened: our page was still in view after ${seconds} seconds, or the person chose another button. Some of them don't have the Amazon app.`,
  `Apps and versions with fewer than ${reports} taps are not shown by themselves, so that nobody can be recognized. No link and no person is stored with these numbers.`,
];
export const strategyTables = "What we changed";
export const strategyTablesText =
  "When apps change, we change how we open the Amazon app in them. Each version is compared with the one before. Days are in UTC.";
export const reportsFromTo = (first: string, last: string) =>
  first === last ? `In use on ${first}` : `In use from ${first} to ${last}`;
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
