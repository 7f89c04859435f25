import { messages } from "@tapthru/proto/rules/messages";
import { useMemo, useState } from "react";
import { qrCode, qrPng, qrSvg } from "../../components/qr/qr-code.ts";
import { QrPicture } from "../../components/qr/qr-picture.tsx";
import { Button } from "../../components/ui/button.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { Dialog, DialogError } from "../../components/ui/dialog.tsx";
import { saveFile } from "../../lib/save-file.ts";
import { hasTag, type SharedLink, useUntag } from "./use-untag.ts";

const QR_KINDS = ["tagged", "untagged"] as const;
type QrKind = (typeof QR_KINDS)[number];

interface QrDialogProps {
  link: SharedLink;
  onClose: () => void;
}

/** Shows the QR code of a short link, with or without its tag, and saves it as a file. */
export function QrDialog({ link, onClose }: QrDialogProps) {
  const { shortCode } = link;
  // A toast would be behind the modal dialog.
  const [failure, setFailure] = useState<string | null>(null);
  const { untaggedUrl, untag } = useUntag(link);
  const [kind, setKind] = useState<QrKind>(untaggedUrl === null ? "tagged" : "untagged");
  const shortUrl = kind === "tagged" ? link.shortUrl : (untaggedUrl ?? link.shortUrl);
  const code = useMemo(() => qrCode(shortUrl), [shortUrl]);
  const isTagged = hasTag(link);
  const fileName = `${shortCode}${kind === "tagged" ? "" : "-print"}-qr`;

  async function savePng() {
    setFailure(null);
    try {
      saveFile(await qrPng(code), `${fileName}.png`);
    } catch {
      setFailure(messages.failedToMakeQrCode);
    }
  }

  function choose(chosen: QrKind) {
    setFailure(null);
    if (chosen === "tagged") setKind(chosen);
    else
      untag(
        () => setKind(chosen),
        () => setFailure(messages.failedToUntag),
      );
  }

  return (
    <Dialog title={messages.qrCode} onClose={onClose}>
      <QrPicture code={code} label={messages.qrCodeOf(shortUrl)} />
      <p className="mt-3 text-center text-sm wrap-anywhere text-muted">{shortUrl}</p>
      {isTagged && link.untaggedUrl !== undefined && (
        <div className="mt-4">
          <ChoiceBar
            legend={messages.qrCodeKind}
            choices={QR_KINDS.map((each) => [each, messages.qrCodeKinds[each]])}
            value={kind}
            onChange={choose}
          />
        </div>
      )}
      {isTagged && (
        <p className="mt-4 rounded-xl bg-notice p-3 text-sm leading-5 text-pretty text-notice-ink">
          {messages.qrCodeTagNotice}
        </p>
      )}
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        <Button variant="outline" onClick={() => saveFile(qrSvg(code), `${fileName}.svg`)}>
          {messages.downloadSvg}
        </Button>
        <Button variant="outline" onClick={savePng}>
          {messages.downloadPng}
        </Button>
      </div>
      <DialogError>{failure}</DialogError>
    </Dialog>
  );
}
