import { messages } from "@tapthru/proto/rules/messages";
import { QrCode } from "lucide-react";
import { type ComponentType, useState } from "react";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { importOnline } from "../../lib/import-online.ts";
import type { QrDialog } from "./qr-dialog.tsx";
import { ToolButton, type ToolLook } from "./tool-button.tsx";

type Dialog = ComponentType<Parameters<typeof QrDialog>[0]>;

const loadQrDialog = importOnline(() => import("./qr-dialog.tsx"));

interface QrButtonProps {
  link: { shortUrl: string; shortCode: string };
  hasTag: boolean;
  look: ToolLook;
}

/** Loads the QR code library on the first click. Shows a toast if that fails. */
export function QrButton({ link, hasTag, look }: QrButtonProps) {
  const [Dialog, setDialog] = useState<Dialog>();
  const showError = useErrorToast();

  async function open() {
    try {
      const { QrDialog } = await loadQrDialog();
      setDialog(() => QrDialog);
    } catch {
      showError(messages.failedToMakeQrCode);
    }
  }

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
      {Dialog && <Dialog link={link} hasTag={hasTag} onClose={() => setDialog(undefined)} />}
    </>
  );
}
