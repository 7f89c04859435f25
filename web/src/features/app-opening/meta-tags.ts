import type { MetaTag } from "@tapthru/proto/rules/social-card";

const CARD = 'meta[property^="og:"], meta[name^="twitter:"], meta[name="description"]';

/**
 * Puts tags into the document's head, in the place of the card that is there.
 * @returns puts back what was there
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
