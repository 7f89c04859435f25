import { messages } from "@tapthru/proto/rules/messages";
import { QrCode } from "lucide-react";
import { ToolButton, type ToolLook } from "../../components/tool-button.tsx";
import { useLazyDialog } from "../../components/use-lazy-dialog.ts";

const loadDialog = async () => (await import("./qr-dialog.tsx")).QrDialog;

interface QrButtonProps {
  link: { shortUrl: string; shortCode: string };
  hasTag: boolean;
  look: ToolLook;
}

/** Loads the QR code library on the first click. */
export function QrButton({ link, hasTag, look }: QrButtonProps) {
  const { Dialog, open, close } = useLazyDialog(loadDialog, messages.failedToMakeQrCode);
  return (
    <>
      <ToolButton
        look={look}
        icon={QrCode}
        label={messages.showQrCode}
        text={messages.qrCode}
        aria-haspopup="dialog"
        onClick={open}
      />
      {Dialog && <Dialog link={link} hasTag={hasTag} onClose={close} />}
    </>
  );
}
