import { escapeHtml, LOGO_SVG, PAGE_COLORS_STYLE } from "../page-style.ts";
import { DEFAULT_LANGUAGE, type Language, textDirection } from "./languages.ts";

export const SMALL_PAGE_STYLE = `
${PAGE_COLORS_STYLE}
body { display: grid; grid-template-columns: minmax(0, auto); place-content: start center; min-height: 100vh; margin: 0;
  padding: 20vh 24px 24px; box-sizing: border-box; text-align: center; font: 1.0625rem/1.5 system-ui, sans-serif;
  background: var(--page); color: var(--ink); overflow-wrap: anywhere }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em }
p { max-width: 24rem; margin: 20px auto 0; color: var(--muted) }
.logo { margin-bottom: 20px }
a { color: var(--accent); font-weight: 600 }
input, button, textarea { font: inherit; padding: 8px 12px; margin-top: 4px; max-width: 100%; box-sizing: border-box }
button { margin-top: 20px; padding: 12px 20px; border: 1px solid var(--accent); border-radius: 14px; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer }
ul { max-width: 40rem; text-align: start }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;

/** @param content HTML below the heading */
export function smallPageHtml(
  heading: string,
  productName: string,
  content: string,
  language: Language = DEFAULT_LANGUAGE,
): string {
  return `<!doctype html>
<html lang="${language}" dir="${textDirection(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading} - ${escapeHtml(productName)}</title>
<style>${SMALL_PAGE_STYLE}</style>
</head>
<body>
<main>
${LOGO_SVG}
<h1>${heading}</h1>
${content}
</main>
</body>
</html>
`;
}
