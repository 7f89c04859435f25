import { cardImage } from "./amazon/images.ts";

const SOCIAL_IMAGE_HEIGHT_PX = 630;
const SOCIAL_IMAGE_WIDTH_PX = 1_200;
/** The default image, served on every origin of the web app, but not on own domains. */
const SOCIAL_IMAGE_PATH = "/social-card.png";

export interface SocialCard {
  /** The address of the card itself, so that crawlers do not follow it further. */
  pageUrl: string;
  siteUrl?: string | undefined;
  siteName: string;
  title: string;
  description: string;
  /** Null for the default image. */
  imageUrl: string | null;
}

export interface MetaTag {
  attribute: "property" | "name";
  key: string;
  content: string;
}

export function socialTags(card: SocialCard): MetaTag[] {
  const { title, description } = card;
  const image = card.imageUrl ?? new URL(SOCIAL_IMAGE_PATH, card.siteUrl ?? card.pageUrl).href;
  const properties = {
    "og:type": "website",
    "og:url": card.pageUrl,
    "og:site_name": card.siteName,
    "og:title": title,
    "og:description": description,
    "og:image": image,
    "og:image:alt": title,
    ...(card.imageUrl === null && {
      "og:image:width": `${SOCIAL_IMAGE_WIDTH_PX}`,
      "og:image:height": `${SOCIAL_IMAGE_HEIGHT_PX}`,
    }),
  };
  const names = {
    description,
    "twitter:card": "summary_large_image",
    "twitter:title": title,
    "twitter:description": description,
    "twitter:image": image,
    "twitter:image:alt": title,
  };
  return [...tagsOf("property", properties), ...tagsOf("name", names)];
}

function tagsOf(attribute: MetaTag["attribute"], contents: Record<string, string>): MetaTag[] {
  return Object.entries(contents).map(([key, content]) => ({ attribute, key, content }));
}

export interface AmazonPage {
  webUrl: string;
  title: string | null;
  description: string | null;
  imageUrl: string | null;
  siteName: string | null;
}

export function amazonCard(
  page: AmazonPage,
  { pageUrl, siteUrl, productName }: Pick<SocialCard, "pageUrl" | "siteUrl"> & { productName: string },
): SocialCard {
  return {
    pageUrl,
    siteUrl,
    siteName: page.siteName ?? "Amazon",
    title: page.title ?? `${productName} - Open in Amazon App`,
    description: page.description ?? `View on Amazon: ${new URL(page.webUrl).host}`,
    imageUrl: cardImage(page.imageUrl),
  };
}
