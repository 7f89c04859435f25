import type { MetaTag } from "@tapthru/proto/rules/social-card";

/**
 * Puts tags into the document's head, in the place of those with the same names.
 * @returns puts back what was there
 */
export function setMetaTags(tags: readonly MetaTag[]): () => void {
  const undos = tags.map(setMetaTag);
  return () => {
    for (const undo of undos) undo();
  };
}

function setMetaTag({ attribute, key, content }: MetaTag): () => void {
  const before = document.head.querySelector(`meta[${attribute}="${key}"]`);
  const tag = document.createElement("meta");
  tag.setAttribute(attribute, key);
  tag.content = content;
  if (before) before.replaceWith(tag);
  else document.head.append(tag);
  return () => (before ? tag.replaceWith(before) : tag.remove());
}
