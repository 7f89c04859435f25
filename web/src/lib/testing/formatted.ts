import { formatMoney } from "@tapthru/proto/rules/money";
import {
  formatClock,
  formatDay,
  formatEnd,
  formatLongDay,
  formatMinute,
  formatSecond,
  formatShortDay,
  formatUtcDay,
  formatUtcDays,
} from "../dates.ts";
import { formatChange, formatCount, formatExactShare, formatNumber, formatShare } from "../locale-formats.ts";

/** In the time zone of the browser. */
const afternoon = new Date(2024, 10, 5, 14, 7, 9).toISOString();
const midnight = new Date(2024, 0, 31, 0, 0, 0).toISOString();
const thisYear = new Date(new Date().getFullYear(), 1, 28, 12).toISOString();

/** The results of the formatters in this engine, and those that people are to read in each. */
const TEXTS: readonly (readonly [shown: string, expected: string])[] = [
  [formatMoney(123_456, "USD"), "$1,234.56"],
  [formatMoney(-5, "EUR"), "-€0.05"],
  [formatMoney(0, "GBP"), "£0.00"],
  [formatMoney(1_234, "JPY"), "¥1,234"],
  [formatMoney(10_000_000, "INR"), "₹100,000.00"],
  [formatMoney(99, "CAD"), "CA$0.99"],
  [formatMoney(99, "AUD"), "A$0.99"],
  [formatMoney(99, "MXN"), "MX$0.99"],
  [formatMoney(99, "BRL"), "R$0.99"],
  [formatMoney(99, "CNY"), "CN¥0.99"],
  ...["SEK", "PLN", "TRY", "AED", "SAR", "EGP", "SGD", "ZAR"].map(
    (currency) => [formatMoney(123_456, currency), `${currency} 1,234.56`] as const,
  ),
  [formatMoney(12.345, "EUR", 1), "€0.123"],
  [formatMoney(3_900_000, "HUF"), "HUF 39,000.00"],
  [formatNumber(1_234_567.891), "1,234,567.891"],
  [formatNumber(-0.5), "-0.5"],
  [formatCount(1, "link"), "1 link"],
  [formatCount(2_000, "link"), "2,000 links"],
  [formatShare(0.125), "13%"],
  [formatShare(12.3), "1,230%"],
  [formatExactShare(0.03), "3.0%"],
  [formatExactShare(0.12345), "12.3%"],
  [formatChange(0.1), "+10%"],
  [formatChange(-0.5), "-50%"],
  [formatChange(0.001), "0%"],
  [formatDay(afternoon), "Nov 5, 2024"],
  [formatLongDay(afternoon), "November 5, 2024"],
  [formatMinute(afternoon), "Nov 5, 2024, 2:07 PM"],
  [formatMinute(midnight), "Jan 31, 2024, 12:00 AM"],
  [formatEnd(new Date(2024, 0, 31, 23, 59, 59).toISOString()), "at the end of Jan 31, 2024"],
  [formatEnd(midnight), "Jan 31, 2024, 12:00 AM"],
  [formatSecond(afternoon), "Nov 5, 2024, 2:07:09 PM"],
  [formatClock(afternoon), "2:07:09 PM"],
  [formatShortDay(midnight), "Jan 31, 2024"],
  [formatShortDay(thisYear), "Feb 28"],
  [formatUtcDay("2026-11-22"), "Nov 22, 2026"],
  [formatUtcDays("2026-11-01", "2026-11-22"), "Nov 1 – 22, 2026"],
  [formatUtcDays("2025-12-31", "2026-01-01"), "Dec 31, 2025 – Jan 1, 2026"],
  [formatUtcDays("2026-11-22", "2026-11-22"), "Nov 22, 2026"],
];

/** Engines write different blanks, of one width or another. */
export const FORMATTED = TEXTS.map(([shown, expected]) => ({ shown: shown.replaceAll(/\s/gu, " "), expected }));
