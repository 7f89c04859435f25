import type { QrCode } from "./qr-code.ts";

interface QrPictureProps {
  code: QrCode;
  label: string;
}

/** White in both themes: QR readers expect dark on light. */
export function QrPicture({ code, label }: QrPictureProps) {
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
