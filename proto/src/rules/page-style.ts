/** Colors of the web app for the pages of other services. `web/src/styles.css` has them under the same names. */
export const PAGE_COLORS = {
  page: { light: "#faf8f5", dark: "#141211" },
  line: { light: "#e6e0d9", dark: "#38332f" },
  "line-strong": { light: "#8a8078", dark: "#857b73" },
  ink: { light: "#211c19", dark: "#f5f1ed" },
  muted: { light: "#655c55", dark: "#b3a9a1" },
  accent: { light: "#0f6b66", dark: "#6fd3c8" },
  "on-accent": { light: "#ffffff", dark: "#06211f" },
} as const;

const inTheme = (theme: "light" | "dark") =>
  Object.entries(PAGE_COLORS)
    .map(([name, color]) => `--${name}:${color[theme]}`)
    .join(";");

export const PAGE_COLORS_STYLE = `:root{color-scheme:light dark;${inTheme("light")}}
@media (prefers-color-scheme:dark){:root{${inTheme("dark")}}}`;

export const LOGO_SVG = `<svg class="logo" aria-hidden="true" width="44" height="44" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0f6b66"/><path d="M8 10.5h16M16 10.5v7.5a4 4 0 0 0 4 4h3.5M20.5 18.5 24 22l-3.5 3.5" fill="none" stroke="#fff" stroke-width="2.75" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for use in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
