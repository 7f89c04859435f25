import { messages } from "@tapthru/proto/rules/messages";
import { X } from "lucide-react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { Button } from "../../components/ui/button.tsx";
import { IconButton } from "../../components/ui/icon-button.tsx";
import { saveFile } from "../../lib/save-file.ts";
import { qrCode, qrPng, qrSvg } from "./qr-code.ts";

interface QrDialogProps {
  link: { shortUrl: string; shortCode: string };
  hasTag: boolean;
  onClose: () => void;
}

/** Shows a short link's QR code and saves it as a file. The native dialog traps and restores the focus. */
export function QrDialog({ link: { shortUrl, shortCode }, hasTag, onClose }: QrDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [hasFailed, setHasFailed] = useState(false);
  const code = useMemo(() => qrCode(shortUrl), [shortUrl]);
  useEffect(() => dialog.current?.showModal(), []);

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
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={onClose}
      className="confirm m-auto w-dialog rounded-2xl border border-line bg-surface p-dialog-edge text-ink shadow-card sm:p-6"
    >
      <div className="-mt-1 -mr-1 mb-3 sm:-mr-2 flex items-center justify-between">
        <h2 id={id} className="text-lg font-semibold tracking-tight">
          {messages.qrCode}
        </h2>
        <IconButton icon={X} label={messages.close} onClick={() => dialog.current?.close()} />
      </div>
      {/* White in both themes: QR readers expect dark on light. */}
      <svg
        role="img"
        aria-label={messages.qrCodeOf(shortUrl)}
        viewBox={`0 0 ${code.size} ${code.size}`}
        shapeRendering="crispEdges"
        className="mx-auto aspect-square w-full max-w-72 rounded-xl border border-line bg-white text-black"
      >
        <path d={code.path} fill="currentColor" />
      </svg>
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
      {hasFailed && (
        <p role="alert" className="mt-3 text-sm leading-5 font-medium text-danger">
          {messages.failedToMakeQrCode}
        </p>
      )}
    </dialog>
  );
}
