import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { messages } from "@tapthru/proto/rules/messages";
import { useMemo, useState } from "react";
import { qrCode, qrPng, qrSvg } from "../../components/qr/qr-code.ts";
import { QrPicture } from "../../components/qr/qr-picture.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Dialog, DialogError } from "../../components/ui/dialog.tsx";
import { saveFile } from "../../lib/save-file.ts";

export interface QrLink {
  shortUrl: string;
  shortCode: string;
  originalUrl: string;
}

interface QrDialogProps {
  link: QrLink;
  onClose: () => void;
}

/** Shows a short link's QR code and saves it as a file. */
export function QrDialog({ link, onClose }: QrDialogProps) {
  const { shortUrl, shortCode, originalUrl } = link;
  const [hasFailed, setHasFailed] = useState(false);
  const code = useMemo(() => qrCode(shortUrl), [shortUrl]);
  const page = parseStorePage(originalUrl);
  const hasTag = page !== null && tagHealth(page).kind !== "none";

  async function savePng() {
    setHasFailed(false);
    try {
      saveFile(await qrPng(code), `${shortCode}-qr.png`);
    } catch {
      // A toast would be behind the modal dialog.
      setHasFailed(true);
    }
  }

  return (
    <Dialog title={messages.qrCode} onClose={onClose}>
      <QrPicture code={code} label={messages.qrCodeOf(shortUrl)} />
      <p className="mt-3 text-center text-sm wrap-anywhere text-muted">{shortUrl}</p>
      {hasTag && (
        <p className="mt-4 rounded-xl bg-notice p-3 text-sm leading-5 text-pretty text-notice-ink">
          {messages.qrCodeTagNotice}
        </p>
      )}
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        <Button variant="outline" onClick={() => saveFile(qrSvg(code), `${shortCode}-qr.svg`)}>
          {messages.downloadSvg}
        </Button>
        <Button variant="outline" onClick={savePng}>
          {messages.downloadPng}
        </Button>
      </div>
      <DialogError>{hasFailed ? messages.failedToMakeQrCode : null}</DialogError>
    </Dialog>
  );
}
