import type { MetaTag } from "@tapthru/proto/rules/social-card";

const CARD = 'meta[property^="og:"], meta[name^="twitter:"], meta[name="description"]';

/**
 * Replaces the social tags in the document's head.
 * @returns a function that restores the previous tags
 */
export function setMetaTags(tags: readonly MetaTag[]): () => void {
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
