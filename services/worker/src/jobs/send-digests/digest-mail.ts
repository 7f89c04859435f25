import { unsubscribeUrl } from "@tapthru/proto/digest";
import { displayName } from "@tapthru/proto/rules/display-name";
import { healthReasons, UNHEALTHY_STATES, type UnhealthyState } from "@tapthru/proto/rules/link-health";
import { nameInEmail } from "@tapthru/proto/rules/names";
import { escapeHtml } from "@tapthru/proto/rules/page-style";
import { accountPath, paths } from "@tapthru/proto/rules/paths";
import { shortUrl } from "@tapthru/proto/rules/short-url";
import * as z from "zod/mini";
import type { Mail } from "../../emails/mailer.ts";

const stopDigests = "Stop these emails";

const openLinkPage = "Open the page of this link";
const openEarnings = "Compare your channels";

const moreLinks = (count: number) =>
  count === 1 ? "1 more link needs attention" : `${count} more links need attention`;

const digestAdvice: Record<UnhealthyState, string> = {
  "product-gone": "Change the destination of the link to another product. The short link stays the same.",
  "redirected-elsewhere":
    "Open the link and see whether the page is what you mean. If not, change its destination. The short link stays the same.",
  "tag-missing": "Add your tag on the page of the link.",
  "tag-malformed":
    "Compare it with your tag at Amazon Associates. If it is right, save it under Tags and channels; if not, change the destination of the link.",
  "out-of-stock":
    "It may come back. Until then you can change the destination of the link. The short link stays the same.",
};

const digestStates: Record<UnhealthyState, string> = {
  "product-gone": "Product gone",
  "redirected-elsewhere": "Redirected",
  "tag-missing": "No tag",
  "tag-malformed": "Check the tag",
  "out-of-stock": "Out of stock",
};

export const UnhealthyLink = z.object({
  shortCode: z.string(),
  nickname: z.nullable(z.string()),
  /** The owner's, else that of the page. */
  title: z.nullable(z.string()),
  originalUrl: z.string(),
  state: z.enum(UNHEALTHY_STATES),
  total: z.int(),
});
export type UnhealthyLink = z.infer<typeof UnhealthyLink>;

interface Site {
  publicBaseUrl: string;
  productName: string;
}

interface Recipient {
  userId: number;
  /** Ends the emails. */
  token: string;
}

/** @param links the first ones, each with the number of all @param channelLine a sentence about a channel */
export function digestMail(
  { publicBaseUrl, productName }: Site,
  links: readonly UnhealthyLink[],
  { userId, token }: Recipient,
  channelLine: string | null = null,
): Mail {
  const pageOf = (path: string) => publicBaseUrl + accountPath(userId, path);
  const total = links[0]?.total ?? 0;
  const host = new URL(publicBaseUrl).host;
  const entries = links.map((link) => ({
    name: nameInEmail(displayName(link, host)).replace(/\s+/g, " ").trim(),
    url: shortUrl(publicBaseUrl, link.shortCode),
    page: pageOf(paths.link(link.shortCode)),
    reason: `${digestStates[link.state]}. ${healthReasons[link.state]}`,
    advice: `What to do: ${digestAdvice[link.state]}`,
  }));
  const more = total > links.length ? moreLinks(total - links.length) : null;
  const content = {
    subject: subjectOf(total),
    entries,
    more,
    channelLine,
    earningsUrl: `${pageOf(paths.earnings)}?by=channel`,
    listUrl: `${pageOf(paths.dashboard)}?show=needs-attention`,
    why: `You get this email at most once a week, because you have an account at ${productName}.`,
    stopUrl: unsubscribeUrl(publicBaseUrl, token),
  };
  return {
    kind: "digest",
    subject: content.subject,
    text: plainText(content),
    html: html(content),
    stopUrl: content.stopUrl,
  };
}

function subjectOf(total: number): string {
  if (total === 0) return "One of your channels needs attention";
  return total === 1 ? "1 of your links needs attention" : `${total} of your links need attention`;
}

interface Content {
  subject: string;
  entries: readonly { name: string; url: string; page: string; reason: string; advice: string }[];
  /** Null: all links are listed. */
  more: string | null;
  listUrl: string;
  channelLine: string | null;
  earningsUrl: string;
  why: string;
  stopUrl: string;
}

function plainText({ subject, entries, more, listUrl, channelLine, earningsUrl, why, stopUrl }: Content): string {
  return [
    `${subject}.`,
    ...entries.map(({ name, url, page, reason, advice }) =>
      [name, url, reason, advice, `${openLinkPage}: ${page}`].join("\n"),
    ),
    ...(more === null ? [] : [`${more}: ${listUrl}`]),
    ...(channelLine === null ? [] : [`${channelLine}\n${openEarnings}: ${earningsUrl}`]),
    `--\n${why}\n${stopDigests}: ${stopUrl}`,
  ].join("\n\n");
}

function html({ subject, entries, more, listUrl, channelLine, earningsUrl, why, stopUrl }: Content): string {
  const link = (url: string, text: string) => `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
  const items = entries.map(
    ({ name, url, page, reason, advice }) => `<li style="margin-bottom:20px">
<strong><bdi>${escapeHtml(name)}</bdi></strong><br>
${link(url, url)}<br>
${escapeHtml(reason)}<br>
${escapeHtml(advice)}<br>
${link(page, openLinkPage)}
</li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0 auto;max-width:600px;padding:16px;font:16px/1.5 sans-serif">
<h1 style="font-size:22px;line-height:1.3">${escapeHtml(subject)}</h1>
<ul style="padding-left:20px">
${items.join("\n")}
</ul>
${more === null ? "" : `<p>${link(listUrl, more)}</p>`}
${channelLine === null ? "" : `<p>${escapeHtml(channelLine)}<br>${link(earningsUrl, openEarnings)}</p>`}
<p style="margin-top:32px;font-size:14px">${escapeHtml(why)} ${link(stopUrl, stopDigests)}</p>
</body>
</html>
`;
}
