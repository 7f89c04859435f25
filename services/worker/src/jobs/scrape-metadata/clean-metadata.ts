import { isProductImage } from "@tapthru/proto/rules/amazon/images";
import { cleanText } from "@tapthru/proto/rules/clean-text";
import type { ReadResult } from "./source.ts";

const TITLE_MAX_LENGTH = 500;
const DESCRIPTION_MAX_LENGTH = 1_000;
const SITE_NAME_MAX_LENGTH = 100;

const STORE_NAME = /^\s*amazon(?:\.[a-z.]+)?\s*$/i;

type Text = string | null | undefined;

/** Untrusted metadata; titles and images in order of preference. */
export interface RawMetadata {
  titles: Text[];
  images: Text[];
  description?: Text;
  siteName?: Text;
}

/** Keeps what may be displayed; null without a title and an image. */
export function cleanMetadata({ titles, images, description, siteName }: RawMetadata): ReadResult {
  const title = titles.map(cleanTitle).find((title) => title !== null) ?? null;
  const imageUrl = images.find((url) => url && isProductImage(url)) ?? null;
  if (title === null && imageUrl === null) return { kind: "nothing", outcome: "unreadable" };
  return {
    kind: "read",
    metadata: {
      title,
      description: cleanText(description ?? "", DESCRIPTION_MAX_LENGTH),
      imageUrl,
      siteName: cleanText(siteName ?? "", SITE_NAME_MAX_LENGTH),
    },
  };
}

function cleanTitle(text: Text): string | null {
  const title = cleanText(text ?? "", TITLE_MAX_LENGTH);
  return title === null || isStoreName(title) ? null : title;
}

/** Stores use their name, such as `Amazon.de`, as the title of pages without a title. */
export function isStoreName(title: string): boolean {
  return STORE_NAME.test(title);
}
