import {
  DEFAULT_LANGUAGE,
  type Language,
  PAGE_MESSAGES,
} from "@tapthru/proto/rules/messages/pages/languages";

/** Those of browsers are a tenth of it. */
const MAX_LENGTH = 1_000;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/**
 * Chooses among our languages by an Accept-Language header (RFC 9110, 12.5.4): the heaviest one, the
 * first of equals. Regions and scripts are ours as their language is, and `*` is English.
 */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined || acceptLanguage.length > MAX_LENGTH) return DEFAULT_LANGUAGE;

  let chosen = DEFAULT_LANGUAGE;
  let chosenWeight = 0;
  for (const entry of acceptLanguage.toLowerCase().split(",")) {
    const [range = "", parameter] = entry.split(";", 2);
    const language = languageOf(range.trim());
    const weight = weightOf(parameter);
    if (language === null || weight <= chosenWeight) continue;
    chosen = language;
    chosenWeight = weight;
  }
  return chosen;
}

function languageOf(range: string): Language | null {
  if (range === "*") return DEFAULT_LANGUAGE;
  const [primary = ""] = range.split("-", 1);
  return isLanguage(primary) ? primary : null;
}

function isLanguage(primary: string): primary is Language {
  return Object.hasOwn(PAGE_MESSAGES, primary);
}

/** From 0, never, to 1; what is no weight counts as never. */
function weightOf(parameter: string | undefined): number {
  if (parameter === undefined) return 1;
  const [, weight = "0"] = WEIGHT.exec(parameter.trim()) ?? [];
  return Number(weight);
}
