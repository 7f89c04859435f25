import { useQuery } from "@tanstack/react-query";
import type { RedirectTarget } from "@tapthru/proto/rules/app-opening/redirect-target";
import { buildDeepLink } from "@tapthru/proto/rules/app-opening/redirect-target";
import { amazonCard, type MetaTag, socialTags } from "@tapthru/proto/rules/social-card";
import { useEffect } from "react";
import { useConfig } from "../../../lib/config.ts";
import { getMetadata } from "../get-metadata.ts";

const UNKNOWN = { title: null, description: null, imageUrl: null, siteName: null };
const ROBOTS: MetaTag = { attribute: "name", key: "robots", content: "noindex, nofollow" };

/** Sets the title and social tags from the product's metadata. */
export function OpeningTags({ target }: { target: RedirectTarget }) {
  const { publicBaseUrl, productName } = useConfig();
  const { productId, marketplace, webUrl } = target;
  const { data: metadata = UNKNOWN, error } = useQuery({
    queryKey: ["/api/metadata", productId, marketplace],
    queryFn: ({ signal }) => getMetadata({ productId, marketplace }, signal),
  });
  useEffect(() => {
    if (error) console.warn("Failed to load the product's metadata:", error);
  }, [error]);

  useEffect(() => {
    const pageUrl = buildDeepLink(publicBaseUrl, productId, webUrl);
    const card = amazonCard({ ...metadata, webUrl }, { pageUrl, productName });
    document.title = card.title;
    return setMetaTags([...socialTags(card), ROBOTS]);
  }, [publicBaseUrl, productName, productId, webUrl, metadata]);
  return null;
}

const CARD = 'meta[property^="og:"], meta[name^="twitter:"], meta[name="description"]';

/**
 * Replaces the social tags in the document's head.
 * @returns a function that restores the previous tags
 */
function setMetaTags(tags: readonly MetaTag[]): () => void {
  const before = document.head.querySelectorAll(CARD);
  const after = tags.map(metaElement);
  for (const tag of before) tag.remove();
  document.head.append(...after);
  return () => {
    for (const tag of after) tag.remove();
    document.head.append(...before);
  };
}

function metaElement({ attribute, key, content }: MetaTag): HTMLMetaElement {
  const tag = document.createElement("meta");
  tag.setAttribute(attribute, key);
  tag.content = content;
  return tag;
}
