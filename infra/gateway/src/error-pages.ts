export interface ErrorPage {
  status: number;
  /** What nginx calls the error where that is no status of HTTP. */
  nginxStatus?: number;
  heading: string;
  sentence: string;
}

const AWAY = {
  heading: "We will be right back",
  sentence:
    "This part of the site is not answering at the moment. Please try again in a few seconds.",
};

/** The errors that nginx itself can answer with. */
export const ERROR_PAGES: readonly ErrorPage[] = [
  {
    status: 400,
    heading: "We could not read that",
    sentence: "The request was malformed.",
  },
  {
    status: 404,
    heading: "Page not found",
    sentence: "There is nothing at this address.",
  },
  {
    status: 405,
    heading: "That does not work here",
    sentence: "This address does not take that kind of request.",
  },
  {
    status: 413,
    heading: "That is too much",
    sentence: "The request is too large.",
  },
  {
    status: 414,
    heading: "That address is too long",
    sentence: "The address of the request is too long.",
  },
  {
    status: 431,
    nginxStatus: 494,
    heading: "Your browser sent too much",
    sentence:
      "The headers of the request are too large. Clearing the cookies of this site may help.",
  },
  {
    status: 500,
    heading: "Something went wrong",
    sentence: "Something went wrong on our side. Please try again.",
  },
  {
    status: 501,
    heading: "That does not work here",
    sentence: "The request uses something this server does not offer.",
  },
  { status: 502, ...AWAY },
  { status: 503, ...AWAY },
  {
    status: 504,
    heading: "That took too long",
    sentence: "This part of the site did not answer in time. Please try again in a few seconds.",
  },
  {
    status: 505,
    heading: "That does not work here",
    sentence: "The request uses a version of HTTP this server does not offer.",
  },
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
<p><a href="/">Go to ${escapeHtml(productName)}</a></p>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
