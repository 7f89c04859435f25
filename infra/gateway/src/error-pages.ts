import { messages } from "@tapthru/proto/rules/messages";

export interface ErrorPage {
  status: number;
  /** What nginx calls the error where that is no status of HTTP. */
  nginxStatus?: number;
  heading: string;
  sentence: string;
}

const PAGES = messages.smallPages;

/** The errors that nginx itself can answer with. */
export const ERROR_PAGES: readonly ErrorPage[] = [
  { status: 400, ...PAGES.malformed },
  { status: 404, ...PAGES.pageNotFound },
  { status: 405, ...PAGES.methodNotAllowed },
  { status: 413, ...PAGES.bodyTooLarge },
  { status: 414, ...PAGES.addressTooLong },
  { status: 431, nginxStatus: 494, ...PAGES.headersTooLarge },
  { status: 500, ...PAGES.failed },
  { status: 501, ...PAGES.notOffered },
  { status: 502, ...PAGES.away },
  { status: 503, ...PAGES.away },
  { status: 504, ...PAGES.tooSlow },
  { status: 505, ...PAGES.oldHttp },
];

/** The colours are those of the web app. */
export const ERROR_PAGE_STYLE = `
:root { color-scheme: light dark; --page: #faf8f5; --ink: #211c19; --muted: #655c55; --accent: #0f6b66 }
@media (prefers-color-scheme: dark) {
  :root { --page: #141211; --ink: #f5f1ed; --muted: #b3a9a1; --accent: #6fd3c8 }
}
body { display: grid; place-content: center; min-height: 100vh; margin: 0; padding: 24px;
  box-sizing: border-box; text-align: center; font: 17px/1.5 system-ui, sans-serif;
  background: var(--page); color: var(--ink) }
h1 { margin: 0; font-size: 1.75rem; line-height: 1.2; letter-spacing: -0.02em }
p { max-width: 24rem; margin: 20px auto 0; color: var(--muted) }
a { color: var(--accent); font-weight: 600 }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;

export function errorPageHtml({ heading, sentence }: ErrorPage, productName: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${heading} - ${escapeHtml(productName)}</title>
<style>${ERROR_PAGE_STYLE}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p>${sentence}</p>
<p><a href="/">${escapeHtml(messages.goToSite(productName))}</a></p>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
