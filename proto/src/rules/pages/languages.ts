import { ar } from "./ar.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { hi } from "./hi.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { nl } from "./nl.ts";
import type { PageMessages } from "./page-messages.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { sv } from "./sv.ts";
import { tr } from "./tr.ts";

export type Language = "ar" | "de" | "en" | "es" | "fr" | "hi" | "it" | "ja" | "nl" | "pl" | "pt" | "sv" | "tr";

export const PAGE_MESSAGES: Readonly<Record<Language, PageMessages>> = {
  ar,
  de,
  en,
  es,
  fr,
  hi,
  it,
  ja,
  nl,
  pl,
  pt,
  sv,
  tr,
};

export const DEFAULT_LANGUAGE: Language = "en";

export function textDirection(language: Language): "ltr" | "rtl" {
  return language === "ar" ? "rtl" : "ltr";
}

export function perLanguage<T>(make: (language: Language) => T): Record<Language, T> {
  const languages = Object.keys(PAGE_MESSAGES) as Language[];
  return Object.fromEntries(languages.map((language) => [language, make(language)])) as Record<Language, T>;
}
