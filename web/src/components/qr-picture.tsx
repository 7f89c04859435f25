import { SOURCE_PARAMETER } from "@tapthru/proto/clicks/keys";
import { encode } from "uqr";

/** White in both themes: QR readers expect dark on light. */
export function QrPicture({ code, label }: { code: QrCode; label: string }) {
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${code.size} ${code.size}`}
      shapeRendering="crispEdges"
      className="mx-auto aspect-square w-full max-w-72 rounded-xl border border-line bg-white text-black"
    >
      <path d={code.path} fill="currentColor" />
    </svg>
  );
}

/** ISO/IEC 18004 requires four white modules on each side. */
const QUIET_ZONE_MODULES = 4;
const PNG_MIN_SIZE_PX = 1_024;

export interface QrCode {
  /** Modules per side, including the quiet zone. */
  size: number;
  /** The black modules as SVG path data. One module is one unit. */
  path: string;
}

/** Its taps count apart from those of the link. */
export const linkQrCode = (shortUrl: string) => qrCode(`${shortUrl}?${SOURCE_PARAMETER}=qr`);

/** Encodes a text with error correction level M, which restores about 15 % of the code. */
export function qrCode(text: string): QrCode {
  const { size, data } = encode(text, { ecc: "M", border: QUIET_ZONE_MODULES });
  const runs = data.flatMap((row, y) =>
    [
      ...row
        .map((isBlack) => (isBlack ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
    ].map(({ index, 0: run }) => `M${index} ${y}h${run.length}v1h-${run.length}z`),
  );
  return { size, path: runs.join("") };
}

export function qrSvg({ size, path }: QrCode): Blob {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${PNG_MIN_SIZE_PX}" height="${PNG_MIN_SIZE_PX}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>\n`;
  return new Blob([svg], { type: "image/svg+xml" });
}

/** Each module is a whole number of pixels, so that edges are sharp. Rejects if the browser has no canvas. */
export function qrPng({ size, path }: QrCode): Promise<Blob> {
  const scale = Math.ceil(PNG_MIN_SIZE_PX / size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * scale;
  const context = canvas.getContext("2d");
  if (!context) return Promise.reject(new Error("The browser does not support canvas"));
  context.scale(scale, scale);
  context.fillStyle = "#fff";
  context.fillRect(0, 0, size, size);
  context.fillStyle = "#000";
  context.fill(new Path2D(path));
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error("The browser did not encode the PNG")))),
  );
}
