import { messages } from "@tapthru/proto/rules/messages";
import { QrCode } from "lucide-react";
import { type ComponentType, useState } from "react";
import { IconButton } from "../../components/ui/icon-button.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { importOnline } from "../../lib/import-online.ts";
import type { QrDialog } from "./qr-dialog.tsx";

type Dialog = ComponentType<Parameters<typeof QrDialog>[0]>;

const loadQrDialog = importOnline(() => import("./qr-dialog.tsx"));

interface QrButtonProps {
  link: { shortUrl: string; shortCode: string };
  hasTag: boolean;
}

/** Loads the QR code library on the first click. Shows a toast if that fails. */
export function QrButton({ link, hasTag }: QrButtonProps) {
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
      <IconButton icon={QrCode} label={messages.showQrCode} aria-haspopup="dialog" onClick={open} />
      {Dialog && <Dialog link={link} hasTag={hasTag} onClose={() => setDialog(undefined)} />}
    </>
  );
}
