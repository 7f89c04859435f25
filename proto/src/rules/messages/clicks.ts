export const clicksOfAllLinks = "All your links";
export const clickPeriod = "Period";
export const clickPeriods = {
  "24h": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
  custom: "Custom range",
} as const;
export const firstDay = "First day";
export const lastDay = "Last day";
export const showPeriod = "Show";
export const invalidPeriod = "The first day must not be after the last one.";
export const periodTooLong = (days: string) => `Please choose at most ${days} days.`;
export const clickKind = "Kind of click";
export const clickClasses = {
  person: "Taps",
  preview: "Previews",
  bot: "Bots",
  prefetch: "Prefetches",
  assistant: "Assistants",
} as const;
export const clickClassTexts = {
  person: "Each tap of a person counts. Previews, bots and prefetches are never among them.",
  preview: "Apps and sites that read the link to show a preview of it.",
  bot: "Search engines, monitors and other programs.",
  prefetch: "Browsers that loaded the link in advance, before any tap.",
  assistant:
    "ChatGPT, Claude, Perplexity and others that read the link for a person. They get the address without your tag, unless you allow it.",
} as const;
export const visitors = "Visitors (estimate)";
export const appOpenings = "App openings";
export const clicksUnchanged = "As many as in the previous period";
export const noPreviousClicks = "None in the previous period";
export const clicksCompared = (change: string) => `${change} compared with the previous period`;
export const noClicks = "No clicks in this period.";
export const noTapsYet =
  "No taps in this period. A tap on your short link appears here within seconds.";
export const clicksFailed = "The clicks could not be loaded.";
export const clicksNotUpdated = "The clicks could not be updated. Trying again shortly.";
export const loadingClicks = "Loading clicks...";
export const chartFailed = "The chart could not be loaded. The table has the same numbers.";
export const countPerPeriod = {
  hour: (name: string) => `${name} by hour`,
  day: (name: string) => `${name} by day`,
  week: (name: string) => `${name} by week`,
  month: (name: string) => `${name} by month`,
} as const;
export const weekFrom = (day: string) => `Week from ${day}`;
export const countAt = (time: string, count: string) => `${time}: ${count}`;
export const highestAt = (time: string, count: string) => `Highest: ${count} (${time})`;
export const showAsTable = "Show as a table";
export const clickTime = "Time";
export const countedUntil = (time: string, timeZone: string) =>
  `Counted until ${time} (time zone ${timeZone}).`;
export const timeZoneUnknown = (timeZone: string) =>
  `Days are those of UTC, because your browser's time zone (${timeZone}) is unknown.`;
export const aboutVisitors =
  "Visitors are an estimate: a person counts once a day, and no person is identified.";
export const downloadCsv = "Download CSV";
export const failedToDownloadCsv = "The file could not be downloaded. Please try again.";
export const clicksFileName = (name: string, date: string) => `clicks-${name}-${date}.csv`;
export const clickSources = "Where taps come from";
export const clickBreakdown = "By";
export const clickBreakdowns = {
  country: "Country",
  store: "Store",
  device: "Device",
  app: "App",
  referrer: "Website",
  outcome: "App opening",
} as const;
export const clickShare = "Share";
export const showAllRows = (count: string) => `Show all ${count}`;
export const unknownCountry = "Unknown";
/** Keys of the breakdown by store that are no stores. */
export const places: Record<string, string | undefined> = {
  original: "The link's own store",
  fallback: "Page in place of an ended link",
  untagged: "Link without tag (print and mail)",
};
export const noReferrer = "Direct or unknown";
export const assistantReferrers = "Assistants such as ChatGPT";
export const otherReferrers = "Other websites";
export const clickOutcomes = {
  opened: "The Amazon app opened",
  stayed: "Stayed in the browser",
  unknown: "Not known",
} as const;
export const topLinks = "Top links";
export const linkColumn = "Link";
export const countriesBy = "IP geolocation by DB-IP";
