import { escapeHtml } from "@tapthru/proto/rules/escape-html";

interface Document {
  title: string;
  /** Language code (ISO 639-1). */
  language?: string;
  /** Further elements of the head, as HTML. */
  head?: string;
  /** The content of the body, as HTML. */
  body: string;
}

export function htmlDocument({ title, language = "en", head = "", body }: Document): string {
  return `<!doctype html>
<html lang="${language}"${language === "ar" ? ' dir="rtl"' : ""}>
  <head>
    <meta charset="utf-8">
    <title>${escapeHtml(title)}</title>
    ${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`;
}

export function element(name: string, attributes: Record<string, string>): string {
  const attributeText = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escapeHtml(value)}"`,
  );
  return `<${name}${attributeText.join("")}>`;
}

/** Open Graph tags; the names are given without `og:`. */
export function openGraph(tags: Record<string, string>): string {
  return Object.entries(tags)
    .map(([name, content]) => element("meta", { property: `og:${name}`, content }))
    .join("\n    ");
}
