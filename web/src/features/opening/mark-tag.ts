import type { StorePage } from "@tapthru/proto/rules/amazon/amazon-url";

export interface AddressSegment {
  text: string;
  isTag: boolean;
}

type Page = Pick<StorePage, "webUrl" | "tag">;

/**
 * Finds the tag in an address that contains the page's URL: unchanged, with another scheme, or encoded within an
 * intent. Joined, the segments are the address.
 */
export function markTag(address: string, page: Page): AddressSegment[] {
  const segments = segmentsOf(page);
  const encoded = segments.map(({ text, isTag }) => ({ text: encodeURIComponent(text), isTag }));
  return [segments, encoded]
    .reduce((marked, form) => marked.flatMap((segment) => markInSegment(segment, form)), [plain(address)])
    .filter(({ text }) => text !== "");
}

function markInSegment(segment: AddressSegment, form: AddressSegment[]): AddressSegment[] {
  const text = form.map(({ text }) => text).join("");
  const at = segment.isTag ? -1 : segment.text.indexOf(text);
  if (at === -1) return [segment];
  return [plain(segment.text.slice(0, at)), ...form, plain(segment.text.slice(at + text.length))];
}

/** The segments of the page's URL, without its scheme. */
function segmentsOf({ webUrl, tag }: Page): AddressSegment[] {
  const [path = "", ...rest] = webUrl.slice("https://".length).split(/(?=\?)/);
  const query = rest.join("");
  const parameters = query.split(/(^\?|&)/).map((text) => ({ text, isTag: isTag(text) }));
  const isInPath = tag !== null && !parameters.some((parameter) => parameter.isTag);
  const [before = "", after] = isInPath ? splitAtLast(path, `/${tag}`) : [path];
  if (after === undefined) return [plain(path), ...parameters];
  return [plain(`${before}/`), { text: `${tag}`, isTag: true }, plain(after + query)];
}

function isTag(parameter: string): boolean {
  return Boolean(new URLSearchParams(`&${parameter}`).get("tag"));
}

function plain(text: string): AddressSegment {
  return { text, isTag: false };
}

function splitAtLast(text: string, part: string): [string, string?] {
  const at = text.lastIndexOf(part);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + part.length)];
}
