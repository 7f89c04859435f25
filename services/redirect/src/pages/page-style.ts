import { PAGE_COLORS_STYLE } from "@tapthru/proto/rules/page-style";

export const PAGE_STYLE = `${PAGE_COLORS_STYLE}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px;background:var(--page);color:var(--ink);font:1.0625rem/1.5 system-ui,sans-serif;text-align:center;text-wrap:balance;word-break:auto-phrase;overflow-wrap:anywhere}
main{width:100%;max-width:24rem}
.logo{margin-bottom:20px}
h1{margin:0;font-size:1.75rem;line-height:1.2;letter-spacing:-.02em}
h1:lang(ar),h1:lang(hi){letter-spacing:0}
p{margin:20px 0 0;color:var(--muted)}
a{color:var(--accent)}
.button{display:block;margin-top:12px;padding:14px 12px;border:1px solid var(--line-strong);border-radius:14px;color:var(--ink);font-weight:600;text-decoration:none}
h1+.button,p+.button{margin-top:28px}
.button.primary{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}`;
