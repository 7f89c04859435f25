import { addressesIn, findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";
import { EMBEDDED } from "@tapthru/proto/rules/amazon/named-page";
import { decodeHTMLStrict } from "entities/decode";

/** Each decoder keeps the lines of the text. */
const DECODERS = {
  text: (text: string) => text,
  csv: quoteCells,
  json: decodeEscapes,
  markup: (text: string) => decodeEscapes(decodeHTMLStrict(text)),
  xml: (text: string) => decodeEscapes(decodeHTMLStrict(decodeHTMLStrict(text))),
};

export type Format = keyof typeof DECODERS | "mail";

/** The line before a mail of a mailbox. */
export const MAIL_START = /^From .*\r?\n(?=[\w-]+:(?!\/\/))/m;
const MAIL = /^(?:From .*\r?\n)?(?:[\w-]+:(?!\/\/).*\r?\n|[ \t].*\r?\n)*?(?:MIME-Version|Return-Path|Received):/;

export function formatOf(name: string, text: string): Format {
  const [, ending = ""] = /\.([a-z]+)$/i.exec(name) ?? [];
  if (/^(?:eml|mbox|mhtml?)$/i.test(ending) || MAIL.test(text.slice(0, 4_000))) return "mail";
  if (/^\s*(?:<\?xml|<rss|<feed)/.test(text)) return "xml";
  if (/^\s*</.test(text) || /^x?html?$/i.test(ending)) return "markup";
  if (/^\s*[[{]/.test(text) && !/^(?:csv|txt|md)$/i.test(ending)) return "json";
  return /^[ct]sv$/i.test(ending) ? "csv" : "text";
}

const ADDRESS_MAX_LENGTH = 8_000;
/** The text behind a word in which the rest of a link is looked for that a line break cut. */
const REST_LENGTH = 400;
const LOOK_BACK = 2_000;

/** Where an address of Amazon may be, a title is, or what is not shown begins or ends. */
const HIT =
  /<title[^>]{0,40}>\s{0,20}(?:<!\[CDATA\[)?([^<\]]{1,120})|(<!--|-->|<\/?(?:script|style|template)(?=[\s>]))|amazon(?:-adsystem)?\.|amzn\.|amzlinks?\.|link\.amazon|\ba\.co(?:\/|%2f)/gi;

const endOf = (start: string) => (start === "<!--" ? "-->" : start.replace("<", "</"));

const END = /[\s<>"]/;

type OnFound = (address: string, line: number, title: string) => void;

/**
 * Finds the addresses in a text that its readers can click or see, in their order, and each time they are there. Addresses of Amazon,
 * and those of other sites with one of Amazon in them. Takes time in proportion to the length.
 * @param onFound gets the title of the page or post too, as far as the text says it; empty if not
 */
export function readText(given: string, format: Exclude<Format, "mail">, onFound: OnFound) {
  const text = DECODERS[format](given);
  let line = 1;
  let title = "";
  let at = 0;
  let end = 0;
  let hiddenUntil: string | undefined;
  let hidden: Parameters<OnFound>[] = [];
  for (const { index, 1: ofPage, 2: mark } of text.matchAll(HIT)) {
    if (ofPage !== undefined) title = ofPage.replace(/\s+/g, " ").trim();
    if (ofPage !== undefined || index < end) continue;
    if (mark !== undefined) {
      const name = mark.toLowerCase();
      if (name === hiddenUntil) [hiddenUntil, hidden] = [undefined, []];
      else if (/^<[^/]/.test(name)) hiddenUntil ??= endOf(name);
      continue;
    }
    line += text.slice(at, index).split("\n").length - 1;
    at = index;
    let start = index;
    while (start > Math.max(end, index - ADDRESS_MAX_LENGTH) && !END.test(text.charAt(start - 1))) start--;
    const [word = ""] = text.slice(start, start + ADDRESS_MAX_LENGTH).split(END, 1);
    end = start + word.length;
    if (!isShown(text, start, word, format)) continue;
    const isAttribute = format !== "markup" && /=\s*["']{1,2}$/.test(text.slice(Math.max(0, start - 5), start));
    const window = word + restOf(text.slice(end, end + REST_LENGTH));
    const address = addressOf(word, isAttribute ? decodeHTMLStrict(window) : window);
    if (address === null) continue;
    if (hiddenUntil === undefined) onFound(address, line, title);
    else hidden.push([address, line, title]);
  }
  // What has no end hides nothing.
  for (const found of hidden) onFound(...found);
}

/** The characters of the rest of an address that is cut. */
function restOf(text: string): string {
  const length = text.search(/[<>"]|\n\s*\n|\S*(?::\/\/|amazon|amzn)/i);
  return length === -1 ? text : text.slice(0, length);
}

/** Attributes of HTML, of components, and of XML in feeds and documents that lead to an address. */
const LEADING = /(?:^<|[\s:"'])(?:href|to|url|target)\s*=\s*["']{0,2}$/i;
/** Readers click no `<link>`, unless it is that of a post in a feed. */
const NOT_PRESSED = /^<(?:base|link)\s/i;
const POST_LINK = /\srel=["']?(?:alternate|related|via)\b/i;

/** Says whether readers see or click an address: not in the name of a link, which leads to its own address, and of a tag only where it leads. */
function isShown(text: string, start: number, word: string, format: Format): boolean {
  const before = text.slice(Math.max(0, start - LOOK_BACK), start);
  const tagAt = before.lastIndexOf("<");
  if (tagAt <= before.lastIndexOf(">")) return before.lastIndexOf("<a ") <= before.lastIndexOf("</a");
  const tag = before.slice(tagAt);
  if (!/^<[a-z][\w:.-]*\s/i.test(tag)) return true;
  if (EMBEDDED.test(word)) return true;
  if (!LEADING.test(tag + (NAME_BEFORE.exec(word)?.[0] ?? ""))) return false;
  if (!NOT_PRESSED.test(tag)) return true;
  const [rest = ""] = text.slice(start, start + LOOK_BACK).split(">", 1);
  return format === "xml" && POST_LINK.test(tag + rest);
}

const NAME_BEFORE = /^[^/?#]{0,60}=['"]?(?=(?:https?:)?\/\/)/i;

/** @param window the word and what may be its rest */
function addressOf(word: string, window: string): string | null {
  const named = window.replace(NAME_BEFORE, "");
  const text = named.startsWith("//") ? `https:${named}` : named;
  const [other = null] = addressesIn(text.slice(0, word.length + "https:".length));
  return findAmazonUrl(text) ?? other;
}

/** Puts quotes where cells without quotes end. Cells are separated as most of the first line. */
function quoteCells(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const [separator = ","] = [",", ";", "\t", "|"].toSorted(
    (one, other) => first.split(other).length - first.split(one).length,
  );
  // A quote within a cell without quotes is a part of its text.
  const quotes = new RegExp(`((?<![^${separator}\n"])"[^"]*"?)|[${separator}\n]`, "g");
  return text.replace(quotes, (end, quoted?: string) => quoted ?? `"${end}"`);
}

/** The escapes of strings in JSON and in scripts, also within one another. */
function decodeEscapes(text: string): string {
  return text.replace(/\\{1,8}(?:u([\da-f]{4})|([nrt])|(["'/]))/gi, (_, hex?: string, blank?: string, itself = "") =>
    hex ? character(Number.parseInt(hex, 16)) : blank ? " " : itself,
  );
}

/** A line break would be counted as one of the text. */
const character = (code: number) => (code > 0x20 ? String.fromCharCode(code) : " ");
