// Not in all.ts, which is in the first script.

export const earningsIntro = "What your links earned, by the reports of Amazon that you imported.";
export const importReports = "Import reports";
export const howToGetReports =
  "In Amazon's Associates Central, open Reports and download them as a ZIP or CSV. Import the file here as it is, and see what each link earned.";
export const earningsOfAllLinks = "All your links";
export const loadingEarnings = "Loading earnings...";
export const earningsFailed = "The earnings could not be loaded.";
export const reportedUntil = (day: string) =>
  `Reports until ${day}. Days are those of Amazon, which may report sales and returns days later.`;
export const noEarningsInPeriod = "The reports have nothing in this period.";
export const noReportsInPeriod = "No imported report has these days.";
/** @param amounts those of the reports, such as "€272.44 and $407.28" */
export const convertedFrom = (amounts: string) => `converted; reported: ${amounts}`;
export const convertedRows =
  "Small amounts are those of the reports, converted above with your rates.";
export const earningsPerClick = "Per tap";
export const ordered = "Ordered";
export const shipped = "Shipped";
export const returned = "Returned";
export const revenue = "Sales";
export const conversion = "Ordered per tap";
export const earningsColumnHints =
  "Earnings per tap and orders per tap are divided by the taps of people on the links in the same days.";
export const noSumOfCurrencies =
  "There is no sum of several currencies without your rates. Give them below.";

// The table
export const earningsTable = "What earned";
export const earningsBy = "By";
export const earningsGroups = {
  link: "Link",
  label: "Label",
  channel: "Channel",
  store: "Store",
  product: "Product",
  day: "Day",
} as const;
export const earningsOrder = "Order";
export const earningsOrders = {
  earnings: "Highest earnings first",
  "earnings-per-click": "Highest earnings per tap first",
  people: "Most taps first",
  key: "In the order of days",
} as const;
/** If rows have several currencies. */
export const earningsOrdersByCurrency = {
  ...earningsOrders,
  earnings: "Highest earnings of each currency first",
  "earnings-per-click": "Highest earnings per tap of each currency first",
} as const;
export const notKnown = "–";
export const notKnownText = "Not known";
export const notReportedText = "Not in the imported reports";
export const moreEarningsRows = (count: string) =>
  `${count} more rows are in the CSV file, which has all.`;
export const earningsFileName = (group: string, date: string) => `earnings-${group}-${date}.csv`;
export const earningsMatches = {
  link: "One link",
  links: "Several links",
  channel: "Channel only",
  none: "Not matched",
} as const;
export const earningsMatchTexts = {
  link: "The tracking ID and the product are those of one link.",
  links: "Several links share the tracking ID and the product. Which of them sold is not known.",
  channel:
    "Only the tracking ID is known to be yours: visitors bought something else, or Amazon did not name the product.",
  none: "The tracking ID is not that of a channel or link here.",
} as const;
export const noneOfGroup = {
  link: "No link or channel",
  label: "Without a label",
  channel: "Without a channel",
  store: "Unknown store",
  product: "Without a product",
  day: "Without a day",
} as const;
export const moreLinksOfGroup = (count: string) => `and ${count} more`;
export const matchesOfEarnings = "How the earnings were matched";
export const addTrackingIds = "Add your tracking IDs";

// Whether tags arrive
export const tagArrivals = "Do your tags arrive?";
export const tagArrivalsText =
  "Amazon's own clicks for each 100 taps here. Amazon counts in its own way, so watch for a change, not the level.";
export const noTagArrivals =
  "Import the tracking reports of several months (Fee-Tracking) to see whether Amazon counts your taps.";
export const tagArrivalsFailed = "This could not be loaded.";
export const channelInStore = (channel: string, store: string) => `${channel}, ${store}`;
export const arrivalTrends = {
  falling: "Falling",
  steady: "Steady",
  unknown: "Too few to say",
} as const;
export const showHistory = "Show history";
export const hideHistory = "Hide history";
export const arrivalAdvice =
  "Far fewer taps than before reached Amazon with this channel's tracking IDs. What to check:";
export const arrivalChecks = [
  "That each tag of the channel is still a tracking ID of your Associates account, spelled in the same way.",
  "That your recent links have a tag, and that it is the one of this channel.",
  "That the tracking report has all tracking IDs of the channel, and the whole period.",
  "Open one of the links on a phone: the address in the Amazon app or browser must have your tag.",
] as const;
export const arrivalPeriod = "Period";
export const amazonClicks = "Amazon's clicks";
export const arrivalRatio = "For 100 taps";
export const tooFewToCompare = "Too few";
export const notComparable = "Not comparable";

// Rates
export const earningsRates = "Your currency";
export const earningsRatesText =
  "Amounts are shown in the currency of their store. To add up several, give your currency and what one unit of each other is worth in it. No other rates are used.";
export const ownCurrency = "Your currency";
export const ownCurrencyHint = "Three letters, such as EUR. Leave it empty for no sums.";
export const rateOf = (other: string, own: string) => `1 ${other} in ${own}`;
export const yourOwnCurrency = "your currency";
export const invalidCurrency = "Enter the three letters of a currency.";
export const invalidRate = "Enter a number above 0.";
export const ambiguousRate = "Write decimals with a point, such as 16.25, and no comma.";
export const ratesSaved = "Your rates have been saved.";
export const failedToSaveRates = "Your rates could not be saved. Please try again.";

// The card on a link's page
export const earningsOfLink = "Earnings";
export const noEarningsOfLink = "No sale of this link alone in this period.";
export const noReportsYet = "Import Amazon's reports to see here what this link earned.";
export const sharedEarnings = "Shared with other links";
export const sharedEarningsText =
  "These links have the same tracking ID and product. Which of them sold is not known.";
export const allEarnings = "All earnings";
export const unknownCurrency = "This currency is not known.";
