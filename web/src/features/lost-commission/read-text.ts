import { addressesIn, findAmazonUrl } from "@tapthru/proto/rules/amazon/find-amazon-url";

/** `null` as a line: what was read is not in the lines of the file. */
export interface FoundAddress {
  address: string;
  line: number | null;
  /** Of the page, post or mail that has the address, as far as the file says; empty if not. */
  title: string;
}

type Format = "text" | "csv" | "json" | "markup" | "xml" | "mail";

const PIECE_LENGTH = 500_000;
const ADDRESS_MAX_LENGTH = 8_000;
/** What is read behind a word to find the rest of a link that a line break cut. */
const REST_LENGTH = 400;
const LOOK_BACK = 2_000;

/** Where an address of Amazon may be, or a title is. */
const HIT =
  /<title[^>]{0,40}>\s{0,20}(?:<!\[CDATA\[)?([^<\]]{1,120})|^subject: (.{1,120})|amazon\.|amzn\.|amzlinks?\.|link\.amazon|\ba\.co(?:\/|%2f)/gim;

function formatOf(start: string, name: string): Format {
  const [, ending = ""] = /\.([a-z]+)$/i.exec(name) ?? [];
  if (/^(?:eml|mbox|mhtml?)$/i.test(ending) || /^(?:From |MIME-Version:|Return-Path:|Received:)/m.test(start))
    return "mail";
  if (/^\s*(?:<\?xml|<rss|<feed)/.test(start)) return "xml";
  if (/^\s*</.test(start) || /^x?html?$/i.test(ending)) return "markup";
  if (/^\s*[[{]/.test(start) && !/^(?:csv|txt|md)$/i.test(ending)) return "json";
  return /^[ct]sv$/i.test(ending) ? "csv" : "text";
}

/**
 * Finds the addresses in a file that is given in parts, in their order, and each time they are there. Addresses of Amazon, and those
 * of other sites with one of Amazon in them. Takes time in proportion to the length.
 * @param name of the file; its ending may decide how it is read
 */
export function readText(name: string, onFound: (found: FoundAddress) => void) {
  let rest = "";
  let format: Format | undefined;
  let line = 1;
  let title = "";
  let separator = ",";
  let isQuoted = false;
  const mail = createMailDecoder();

  function read(piece: string) {
    if (format === undefined) {
      format = formatOf(piece.slice(0, 4_000), name);
      separator = separatorOf(piece);
    }
    const text = format === "mail" ? decodeEntities(mail(piece)) : DECODERS[format](piece);
    let at = 0;
    let quotes = 0;
    let read = 0;
    HIT.lastIndex = 0;
    for (let hit = HIT.exec(text); hit !== null; hit = HIT.exec(text)) {
      const [, ofPage, ofMail] = hit;
      if (ofPage !== undefined || ofMail !== undefined) {
        title = (ofPage ?? ofMail ?? "").replace(/\s+/g, " ").trim();
        continue;
      }
      line += count(text, "\n", at, hit.index);
      if (format === "csv") quotes += count(text, '"', at, hit.index);
      at = hit.index;
      const isCell = format === "csv" && isQuoted === (quotes % 2 === 1);
      const ends = isCell ? `<>"${separator}` : '<>"';
      const start = startOfWord(text, at, Math.max(read, at - ADDRESS_MAX_LENGTH), ends);
      const { word, window } = wordAt(text, start, ends, !isCell);
      read = start + word.length;
      HIT.lastIndex = Math.max(HIT.lastIndex, read);
      if (isNameOfLink(text, start)) continue;
      const address = addressOf(
        word,
        window,
        format !== "markup" && /=\s*["']{1,2}$/.test(text.slice(start - 5, start)),
      );
      if (address !== null) onFound({ address, line: format === "mail" ? null : line, title });
    }
    line += count(text, "\n", at, text.length);
    if (format === "csv" && (quotes + count(text, '"', at, text.length)) % 2 === 1) isQuoted = !isQuoted;
  }

  return {
    push(text: string) {
      rest += text;
      if (rest.length < PIECE_LENGTH) return;
      const newline = rest.lastIndexOf("\n");
      const end = newline > 0 ? newline : Math.max(rest.lastIndexOf(">"), rest.lastIndexOf('"'), rest.lastIndexOf(" "));
      // What has no end for so long is no text.
      const cut = end > 0 ? end + 1 : rest.length;
      read(rest.slice(0, cut));
      rest = rest.slice(cut);
    },
    end() {
      read(rest);
      rest = "";
    },
  };
}

/** Of the cells, by the first line. */
function separatorOf(text: string): string {
  const [first = ""] = text.slice(0, 4_000).split("\n", 1);
  return [",", ";", "\t"].toSorted((one, other) => first.split(other).length - first.split(one).length)[0] ?? ",";
}

function count(text: string, character: string, from: number, to: number): number {
  let found = 0;
  for (let at = text.indexOf(character, from); at !== -1 && at < to; at = text.indexOf(character, at + 1)) found++;
  return found;
}

const isEnd = (character: string, ends: string) => character <= " " || ends.includes(character) || /\s/.test(character);

function startOfWord(text: string, index: number, from: number, ends: string): number {
  let at = index;
  while (at > from && !isEnd(text.charAt(at - 1), ends)) at--;
  return at;
}

/** `word`: up to where no address goes on; `window`: with what may be the rest of one that is cut. */
function wordAt(text: string, start: number, ends: string, mayGoOn: boolean) {
  let end = start;
  while (end < text.length && end - start < ADDRESS_MAX_LENGTH && !isEnd(text.charAt(end), ends)) end++;
  const word = text.slice(start, end);
  if (!mayGoOn) return { word, window: word };
  const rest = text.slice(end, end + REST_LENGTH);
  const length = rest.search(/[<>"]|\n\s*\n|\S*(?::\/\/|amazon|amzn)/i);
  return { word, window: word + (length === -1 ? rest : rest.slice(0, length)) };
}

/** Whether the text is shown for a link of HTML, which leads to its own address. */
function isNameOfLink(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - LOOK_BACK), start);
  const isInTag = before.lastIndexOf("<") > before.lastIndexOf(">");
  return !isInTag && before.lastIndexOf("<a ") > before.lastIndexOf("</a");
}

const NAME_BEFORE = /^[^/?#]{0,60}=['"]?(?=(?:https?:)?\/\/)/i;

function addressOf(word: string, window: string, isAttribute: boolean): string | null {
  const decoded = (isAttribute ? decodeEntities(window) : window).replace(NAME_BEFORE, "");
  const text = decoded.startsWith("//") ? `https:${decoded}` : decoded;
  const found = findAmazonUrl(text);
  if (found !== null) return found;
  const [other = null] = addressesIn(text.slice(0, word.length + "https:".length));
  return other;
}

const DECODERS: Record<Exclude<Format, "mail">, (text: string) => string> = {
  text: (text) => text,
  csv: (text) => text,
  json: decodeEscapes,
  markup: (text) => decodeEscapes(decodeEntities(text)),
  xml: (text) => decodeEscapes(decodeEntities(decodeEntities(text))),
};

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;
const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(ENTITY, (_, decimal?: string, hex?: string, name = "") =>
    decimal || hex
      ? character(decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16))
      : (NAMED[name.toLowerCase()] ?? " "),
  );
}

/** Of strings in JSON and in scripts, also within one another. */
function decodeEscapes(text: string): string {
  return text.replace(/\\{1,8}(?:u([\da-f]{4})|([nrt])|(["'/]))/gi, (_, hex?: string, blank?: string, itself = "") =>
    hex ? character(Number.parseInt(hex, 16)) : blank ? " " : itself,
  );
}

/** A line break would be counted as one of the file. */
const character = (code: number) => (code > 0x20 && code < 0x11_0000 ? String.fromCodePoint(code) : " ");

/** Decodes the parts of mails, line by line: quoted-printable, and texts in Base64. */
function createMailDecoder() {
  let encoding = "";
  let isText = true;
  return (text: string): string =>
    text
      .split(/\r?\n/)
      .map((each) => {
        const [, name = "", value = ""] = /^(content-[\w-]{1,30}):\s*([\w-]{1,40})/i.exec(each) ?? [];
        if (each.startsWith("--") || each.startsWith("From ")) encoding = "";
        if (/^content-transfer-encoding$/i.test(name)) encoding = value.toLowerCase();
        if (/^content-type$/i.test(name)) isText = /^text/i.test(value);
        if (encoding === "base64") return isText ? decodeBase64(each) : "";
        if (encoding !== "quoted-printable") return `${each}\n`;
        const line = each.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
        return each.endsWith("=") ? line.slice(0, -1) : `${line}\n`;
      })
      .join("");
}

/** A line, which ends with a whole byte. */
function decodeBase64(line: string): string {
  if (!/^[A-Za-z\d+/]{4,}={0,2}$/.test(line)) return `${line}\n`;
  try {
    return atob(line);
  } catch {
    return `${line}\n`;
  }
}
