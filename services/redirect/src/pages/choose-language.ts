import { DEFAULT_LANGUAGE, type Language, PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";

/** Maximum length in characters. Headers of browsers are about ten times shorter. */
const MAX_HEADER_LENGTH = 1_000;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Chooses a supported language from an Accept-Language header (RFC 9110, 12.5.4): the one with the highest weight,
 * the first of equal ones. Regions and scripts are ignored. `*` selects English.
 */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined || acceptLanguage.length > MAX_HEADER_LENGTH) return DEFAULT_LANGUAGE;

  let best = DEFAULT_LANGUAGE;
  let bestWeight = 0;
  for (const entry of acceptLanguage.toLowerCase().split(",")) {
    const [range = "", parameter] = entry.split(";", 2);
    const language = languageOf(range.trim());
    const weight = weightOf(parameter);
    if (language === null || weight <= bestWeight) continue;
    best = language;
    bestWeight = weight;
  }
  return best;
}

function languageOf(range: string): Language | null {
  if (range === "*") return DEFAULT_LANGUAGE;
  // Programs also send locales: de_DE, de_DE.UTF-8, zh_CN_#Hans.
  const [primary = ""] = range.split(/[-_.@#]/, 1);
  return isLanguage(primary) ? primary : null;
}

function isLanguage(primary: string): primary is Language {
  return Object.hasOwn(PAGE_MESSAGES, primary);
}

/** From 0 (not acceptable) to 1. An invalid weight counts as 0. */
function weightOf(parameter: string | undefined): number {
  if (parameter === undefined) return 1;
  const [, weight = "0"] = WEIGHT.exec(parameter.trim()) ?? [];
  return Number(weight);
}
