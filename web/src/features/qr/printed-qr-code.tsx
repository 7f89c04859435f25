import { useMemo } from "react";
import { qrCode } from "../../components/qr/qr-code.ts";
import { QrPicture } from "../../components/qr/qr-picture.tsx";

/** A QR code that only the printed page has. */
export function PrintedQrCode({ shortUrl }: { shortUrl: string }) {
  const code = useMemo(() => qrCode(shortUrl), [shortUrl]);
  return (
    <div aria-hidden className="hidden w-72 print:block">
      <QrPicture code={code} label={`QR code of ${shortUrl}`} />
    </div>
  );
}
