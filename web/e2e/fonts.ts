import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const require = createRequire(import.meta.url);

const FILES = {
  "DejaVu Sans": {
    400: require.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2"),
    700: require.resolve("@fontsource/dejavu-sans/files/dejavu-sans-latin-700-normal.woff2"),
  },
  "Roboto Condensed": {
    400: require.resolve(
      "@fontsource/roboto-condensed/files/roboto-condensed-latin-400-normal.woff2",
    ),
    700: require.resolve(
      "@fontsource/roboto-condensed/files/roboto-condensed-latin-700-normal.woff2",
    ),
  },
};

export type Font = keyof typeof FILES;
/** About the widest and the narrowest default font of any system. Independent of this machine's fonts. */
export const FONTS = Object.keys(FILES) as Font[];

/**
 * Displays all of a page's text in one font until `setFont(page, null)`. The page's
 * Content-Security-Policy allows fonts and style sheets that a script constructs.
 */
export async function setFont(page: Page, font: Font | null) {
  await page.evaluate(
    async ({ family, faces }) => {
      for (const { weight, base64 } of faces) {
        const data = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        document.fonts.add(await new FontFace(family, data, { weight }).load());
      }
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`* { font-family: "${family}", sans-serif !important }`);
      document.adoptedStyleSheets = faces.length > 0 ? [sheet] : [];
    },
    // Not the font's real name: the system may have another version of it.
    { family: `${font} of the tests`, faces: font ? await facesOf(font) : [] },
  );
}

function facesOf(font: Font) {
  return Promise.all(
    Object.entries(FILES[font]).map(async ([weight, file]) => {
      return { weight, base64: await readFile(file, "base64") };
    }),
  );
}
