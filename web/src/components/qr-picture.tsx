import { SOURCE_PARAMETER } from "@tapthru/proto/clicks/keys";
import encodeQR from "qr";

/** As `#rrggbb`. */
export interface QrColours {
  code: string;
  background: string;
}

export const BLACK_ON_WHITE: QrColours = { code: "#000000", background: "#ffffff" };

/**
 * Returns true if QR readers can tell them apart: they expect dark on light, of a contrast that ISO/IEC 15415 grades C or better
 * (40 %). Brightness is that of ZXing's decoder, in which green counts twice.
 */
export function areReadable({ code, background }: QrColours): boolean {
  return brightness(background) - brightness(code) >= 0.4;
}

function brightness(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return (red + 2 * green + blue) / 4 / 255;
}

interface QrPictureProps {
  code: QrCode;
  /** The same in both themes. */
  colours?: QrColours;
  label: string;
}

export function QrPicture({ code, colours = BLACK_ON_WHITE, label }: QrPictureProps) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      className="mx-auto aspect-square w-full max-w-72 rounded-xl border border-line"
    >
      <path d={square(code)} fill={colours.background} />
      <path d={code.path} fill={colours.code} />
    </svg>
  );
}

/** ISO/IEC 18004 requires four white modules on each side. */
const QUIET_ZONE_MODULES = 4;
const PNG_MIN_SIZE_PX = 1_024;

export interface QrCode {
  /** Modules per side, including the quiet zone. */
  size: number;
  /** The dark modules as SVG path data. One module is one unit. */
  path: string;
}

const square = ({ size }: QrCode) => `M0 0h${size}v${size}H0z`;

/** Its taps count apart from those of the link. */
export const linkQrCode = (shortUrl: string) => qrCode(`${shortUrl}?${SOURCE_PARAMETER}=qr`);

/** Encodes a text with error correction level M, which restores about 15 % of the code. */
export function qrCode(text: string): QrCode {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET_ZONE_MODULES });
  const runs = rows.flatMap((row, y) =>
    [
      ...row
        .map((isDark) => (isDark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { size: rows.length, path: runs.join("") };
}

export function qrSvg(code: QrCode, colours: QrColours): Blob {
  const { size, path } = code;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${PNG_MIN_SIZE_PX}" height="${PNG_MIN_SIZE_PX}" shape-rendering="crispEdges"><path fill="${colours.background}" d="${square(code)}"/><path fill="${colours.code}" d="${path}"/></svg>\n`;
  return new Blob([svg], { type: "image/svg+xml" });
}

/** Each module is a whole number of pixels, so that edges are sharp. Rejects if the browser has no canvas. */
export function qrPng({ size, path }: QrCode, colours: QrColours): Promise<Blob> {
  const scale = Math.ceil(PNG_MIN_SIZE_PX / size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * scale;
  const context = canvas.getContext("2d");
  if (!context) return Promise.reject(new Error("The browser does not support canvas"));
  context.scale(scale, scale);
  context.fillStyle = colours.background;
  context.fillRect(0, 0, size, size);
  context.fillStyle = colours.code;
  context.fill(new Path2D(path));
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error("The browser did not encode the PNG")))),
  );
}
