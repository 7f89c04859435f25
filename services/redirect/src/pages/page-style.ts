/** The style of all pages for visitors, in the colors of the web app. */
export const PAGE_STYLE = `:root{color-scheme:light dark;--page:#faf8f5;--line:#e6e0d9;--edge:#8a8078;--ink:#211c19;--muted:#655c55;--accent:#0f6b66;--on-accent:#fff}
@media (prefers-color-scheme:dark){:root{--page:#141211;--line:#38332f;--edge:#857b73;--ink:#f5f1ed;--muted:#b3a9a1;--accent:#6fd3c8;--on-accent:#06211f}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px;background:var(--page);color:var(--ink);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;text-align:center;text-wrap:balance;word-break:auto-phrase;overflow-wrap:anywhere}
main{width:100%;max-width:24rem}
.logo{margin-bottom:20px}
h1{margin:0;font-size:1.75rem;line-height:1.2;letter-spacing:-.02em}
h1:lang(ar),h1:lang(hi){letter-spacing:0}
p{margin:20px 0 0;color:var(--muted)}
a{color:var(--accent)}
.button{display:block;margin-top:12px;padding:14px 12px;border:1px solid var(--edge);border-radius:14px;color:var(--ink);font-weight:600;text-decoration:none}
h1+.button,p+.button{margin-top:28px}
.button.primary{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}`;
