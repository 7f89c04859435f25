import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { opensWithoutTag } from "@tapthru/proto/rules/amazon/remove-tag";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { useEffect, useEffectEvent, useId, useMemo, useState } from "react";
import {
  areReadable,
  BLACK_ON_WHITE,
  linkQrCode,
  type QrCode,
  type QrColours,
  QrPicture,
  qrPng,
  qrSvg,
} from "../../../components/qr-picture.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ChoiceBar } from "../../../components/ui/choice-bar.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { FormError } from "../../../components/ui/form.tsx";
import { usePermission } from "../../../kit/can.tsx";
import { useCall } from "../../../kit/use-call.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { readText, writeText } from "../../../lib/stored-texts.ts";

const QR_KINDS = [
  ["untagged", "Link without a tag"],
  ["tagged", "Link with your tag"],
] as const;
type QrKind = (typeof QR_KINDS)[number][0];

const COLOURS = [
  ["code", "Color of the code"],
  ["background", "Background"],
] as const;
const UNREADABLE = "Phones cannot read these colors. Choose a darker code or a lighter background.";

/** The colours that the user of this browser chose last. */
const COLOURS_KEY = "qr_colours";

function storedColours(): QrColours {
  const [, code, background] = /^(#[\da-f]{6}) (#[\da-f]{6})$/.exec(readText(COLOURS_KEY) ?? "") ?? [];
  return code && background ? { code, background } : BLACK_ON_WHITE;
}

/** Begins with the link without a tag, which is made then: Amazon refuses tags in print. */
export function QrDialog({ link, onClose }: { link: SharedLink; onClose: () => void }) {
  const { shortCode } = link;
  const [failure, setFailure] = useState<string | null>(null);
  const { plainUrl, untag, isOffered, isPending } = useUntag(link);
  const isTagged = hasTag(link);
  const hasChoice = isTagged && isOffered && link.plainUrl !== undefined;
  const [kind, setKind] = useState<QrKind>(hasChoice ? "untagged" : "tagged");
  /** Is null until the link without a tag is made. */
  const shortUrl = kind === "tagged" ? link.shortUrl : plainUrl;
  const code = useMemo(() => shortUrl && linkQrCode(shortUrl), [shortUrl]);
  const [colours, setColours] = useState(storedColours);
  const noteId = useId();
  const isReadable = areReadable(colours);
  const isReady = isReadable && code !== null;
  const fileName = `${shortCode}${kind === "tagged" ? "" : "-print"}-qr`;

  function paint(changed: QrColours) {
    setColours(changed);
    if (areReadable(changed)) writeText(COLOURS_KEY, `${changed.code} ${changed.background}`);
  }

  const make = () =>
    untag().then(
      () => setFailure(null),
      ({ message }) => setFailure(message),
    );
  const makeUntagged = useEffectEvent(make);
  useEffect(() => {
    setFailure(null);
    if (kind === "untagged") void makeUntagged();
  }, [kind]);

  async function save(file: (drawn: QrCode) => Blob | Promise<Blob>, type: string) {
    if (!code) return;
    setFailure(null);
    try {
      saveFile(await file(code), `${fileName}.${type}`);
    } catch {
      setFailure("Failed to make the QR code. Please reload the page.");
    }
  }

  return (
    <Dialog title="QR code" onClose={onClose}>
      {code ? (
        <QrPicture code={code} colours={colours} label={`QR code of ${shortUrl}`} />
      ) : (
        <div className="mx-auto aspect-square w-full max-w-72 rounded-xl border border-line" />
      )}
      <p role="status" className="mt-3 min-h-5 text-center text-sm wrap-anywhere text-muted">
        {shortUrl ?? (failure === null && "The link without a tag is being made…")}
      </p>
      {isTagged && (
        <p className="mt-4 rounded-xl bg-notice p-3 text-sm leading-5 text-pretty text-notice-ink">
          Amazon's rules forbid affiliate tags offline, in QR codes and in email. Print or email the link without a tag;
          its taps are counted separately.
        </p>
      )}
      {hasChoice && (
        <div className="mt-4">
          <ChoiceBar legend="QR code of" choices={QR_KINDS} value={kind} onChange={setKind} />
        </div>
      )}
      <div className="mt-4 grid grid-cols-2 gap-3">
        {COLOURS.map(([name, label]) => (
          <label key={name} className="flex items-center gap-2 text-sm">
            <input
              type="color"
              aria-describedby={noteId}
              value={colours[name]}
              onChange={({ target }) => paint({ ...colours, [name]: target.value })}
              className="size-11 shrink-0 cursor-pointer rounded-xl border border-line-strong bg-surface p-1"
            />
            {label}
          </label>
        ))}
      </div>
      <div id={noteId}>
        <FormError>{isReadable ? null : UNREADABLE}</FormError>
      </div>
      <FormError>{failure}</FormError>
      {failure !== null && code === null && (
        <Button variant="outline" aria-busy={isPending} onClick={make}>
          Try again
        </Button>
      )}
      <div className="mt-5 grid gap-3 sm:grid-cols-2">
        <Button variant="outline" disabled={!isReady} onClick={() => save((drawn) => qrSvg(drawn, colours), "svg")}>
          Download SVG
        </Button>
        <Button variant="outline" disabled={!isReady} onClick={() => save((drawn) => qrPng(drawn, colours), "png")}>
          Download PNG
        </Button>
      </div>
    </Dialog>
  );
}

const FAILED_TO_UNTAG = "The link without a tag could not be made. Please try again.";

export interface SharedLink {
  shortUrl: string;
  shortCode: string;
  originalUrl: string;
  /** Undefined: of a guest's link, which can have none. */
  plainUrl?: string | null;
}

export function hasTag({ originalUrl }: Pick<SharedLink, "originalUrl">): boolean {
  const page = parseStorePage(originalUrl);
  return page !== null && tagHealth(page).kind !== "none";
}

export function useUntag({ shortCode, originalUrl, plainUrl = null }: SharedLink) {
  const page = parseStorePage(originalUrl);
  const [created, setCreated] = useState<string | null>(null);
  const known = plainUrl ?? created;
  const may = usePermission("PUT /api/links/:shortCode/untagged");
  const { call, isPending } = useCall("PUT /api/links/:shortCode/untagged", { failed: FAILED_TO_UNTAG });
  return {
    plainUrl: known,
    /** True if there is one, or the user may create it. */
    isOffered: known !== null || (may && page !== null && opensWithoutTag(page.webUrl)),
    isPending,
    /** The link. Rejects with a message for the user. */
    untag: () =>
      new Promise<string>((resolve, reject) => {
        if (known !== null) return resolve(known);
        call(
          { params: { shortCode } },
          {
            onDone(link) {
              setCreated(link?.plainUrl ?? null);
              resolve(link?.plainUrl ?? "");
            },
            onFailed: (message) => reject(new Error(message)),
          },
        );
      }),
  };
}
