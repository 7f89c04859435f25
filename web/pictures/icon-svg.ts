/** `maskable`: the system may crop it to any shape, so the drawing stays within the inner circle of 80 %. */
export type IconShape = "rounded" | "square" | "maskable";

const CORNERS: Record<IconShape, string> = { rounded: ' rx="9"', square: "", maskable: "" };

/** The colors of the logo in the app's dark theme, for browsers that show the icon on a dark background. */
const DARK_STYLE =
  "<style>@media (prefers-color-scheme:dark){rect{fill:#6fd3c8}path{stroke:#06211f}}</style>";

/** The icon of browser tabs, in the colors of the system's theme. */
export function faviconSvg(): string {
  return iconSvg("rounded").replace("<rect", `${DARK_STYLE}<rect`);
}

/** The logo as an icon. Without a size, it fills its container. */
export function iconSvg(shape: IconShape, size?: number): string {
  const dimensions = size === undefined ? "" : ` width="${size}" height="${size}"`;
  const inset = shape === "maskable" ? ' transform="translate(4 4) scale(.75)"' : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"${dimensions}><rect width="32" height="32"${CORNERS[shape]} fill="#0f6b66"/><path d="M8 10.5h16M16 10.5v7.5a4 4 0 0 0 4 4h3.5M20.5 18.5 24 22l-3.5 3.5"${inset} fill="none" stroke="#fff" stroke-width="2.75" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}
