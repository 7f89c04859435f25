import type { SiteResponse, Visit } from "@tapthru/core/platform/safe-fetch/site-visit";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { PAGE_MESSAGES } from "@tapthru/proto/rules/pages/languages";

const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)";
const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0";
const WEBVIEW = `Mozilla/5.0 (Linux; Android 15; Pixel 8; wv) ${CHROME} Mobile Safari/537.36`;

type Kind = "person" | "preview" | "bot" | "assistant";

const VISITORS: readonly (readonly [name: string, kind: Kind, agent: string])[] = [
  ["Computer", "person", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`],
  ["iPhone, Safari", "person", `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ["iPhone, Instagram", "person", `${IPHONE} Mobile/15E148 Instagram 380.0.0.28.104 (iPhone15,2; iOS 18_5)`],
  ["iPhone, Facebook", "person", `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/512.0.0.36.101;FBDV/iPhone15,2]`],
  ["iPhone, TikTok", "person", `${IPHONE} Mobile/15E148 musical_ly_39.6.0 BytedanceWebview/d8a21c6`],
  ["Android, Chrome", "person", `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`],
  ["Android, Instagram", "person", `${WEBVIEW} Instagram 380.0.0.48.87 Android (35/15; Google; Pixel 8)`],
  ["Android, Facebook", "person", `${WEBVIEW} [FB_IAB/FB4A;FBAV/512.0.0.36.101;]`],
  ["Preview of Facebook", "preview", "facebookexternalhit/1.1"],
  ["Preview of WhatsApp", "preview", "WhatsApp/2.25.1"],
  ["Search engine", "bot", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"],
  ["Assistant", "assistant", "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)"],
];

export interface AnsweredVisit {
  visitor: string;
  kind: Kind;
  shortUrl: string;
  /** The tag that the link has, in lower case; null: it is one for print and mail. */
  tag: string | null;
  response: SiteResponse;
}

interface Owner {
  showsDisclosure: boolean;
  assistantsGetTag: boolean;
  /** The tags of their channels, in lower case: a link may lead to the visitor's own store. */
  tags: ReadonlySet<string>;
}

/** Decoded as often as an address in another one is encoded. */
const decoded = (text: string) => text.replaceAll(/%(?:25)*3D/gi, "=").replaceAll(/%(?:25)*26/gi, "&");
const tagsIn = (text: string) =>
  [...decoded(text).matchAll(/(?<![\w-])tag=([\w.-]{1,64})/g)].map(([, tag = ""]) => tag.toLowerCase());
const hasNoTag = ({ header, text }: SiteResponse) => tagsIn(header("location") + text).length === 0;
const isApart = ({ kind }: AnsweredVisit, { assistantsGetTag }: Owner) => kind === "assistant" && !assistantsGetTag;

/** Each promise, and whether a visit keeps it; null if it is not about that visit. */
export const PROMISES: Record<string, (visit: AnsweredVisit, owner: Owner) => boolean | null> = {
  "Redirects are temporary and lead to a page of an Amazon store": ({ response: { status, header } }) =>
    status === 200 ? null : status === 302 && parseStorePage(header("location")) !== null,
  "Amazon learns which site the visitor came from": ({ response: { header, text } }) =>
    header("referrer-policy") === "strict-origin-when-cross-origin" && !/rel=["'][^"']*noreferrer/i.test(text),
  "Nothing is framed, and nothing can frame it": ({ response: { status, header, text } }) =>
    status === 200
      ? header("content-security-policy").includes("frame-ancestors 'none'") && !/<i?frame/i.test(text)
      : null,
  "Each page names Amazon": ({ response: { status, text } }) =>
    status === 200 ? visibleText(text).includes("Amazon") : null,
  "The page that opens the app says that its owner earns": ({ kind, response }, { showsDisclosure }) =>
    showsDisclosure && kind === "person" && response.status === 200
      ? visibleText(response.text).includes(PAGE_MESSAGES.en.amazonAssociate)
      : null,
  "The owner's tag arrives unchanged": (visit, owner) => {
    if (visit.tag === null || isApart(visit, owner)) return null;
    const { status, header, text } = visit.response;
    const tags = tagsIn(status >= 300 && status < 400 ? header("location") : text);
    return tags.length > 0 && tags.every((each) => each === visit.tag || owner.tags.has(each));
  },
  "Links for print and mail have no tag": ({ tag, response }) => (tag === null ? hasNoTag(response) : null),
  "Programs of assistants get no tag": (visit, owner) =>
    visit.tag !== null && isApart(visit, owner) ? hasNoTag(visit.response) : null,
};

export function visibleText(html: string): string {
  return html
    .replaceAll(/<(style|script)\b[\s\S]*?<\/\1>/gi, " ")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .trim();
}

/** Each kind of visitor at each link, until one does not respond at all. */
export async function visitLinks(visit: Visit, links: readonly Pick<AnsweredVisit, "shortUrl" | "tag">[]) {
  const visits: AnsweredVisit[] = [];
  for (const link of links) {
    const responses = await Promise.all(VISITORS.map(([, , agent]) => visit(link.shortUrl, agent)));
    for (const [at, [visitor, kind]] of VISITORS.entries()) {
      const response = responses[at];
      if (response) visits.push({ ...link, visitor, kind, response });
    }
    if (!responses.some(Boolean)) break;
  }
  return visits;
}
