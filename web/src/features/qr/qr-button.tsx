import { QrCode } from "lucide-react";
import { ToolButton, type ToolLook } from "../../components/tool-button.tsx";
import { useLazyDialog } from "../../components/use-lazy-dialog.ts";
import type { SharedLink } from "./use-untag.ts";

const loadDialog = async () => (await import("./qr-dialog.tsx")).QrDialog;

/** Loads the dialog, with the QR code library, when it is first opened. */
export const useQrDialog = () => useLazyDialog(loadDialog, "Failed to make the QR code. Please reload the page.");

interface QrButtonProps {
  link: SharedLink;
  look: ToolLook;
}

export function QrButton({ link, look }: QrButtonProps) {
  const { Dialog, open, close } = useQrDialog();
  return (
    <>
      <ToolButton look={look} icon={QrCode} label="Show QR code" text="QR code" aria-haspopup="dialog" onClick={open} />
      {Dialog && <Dialog link={link} onClose={close} />}
    </>
  );
}
