import * as Radix from "@radix-ui/react-dropdown-menu";
import type { Link } from "@tapthru/proto/links";
import {
  Copy,
  EllipsisVertical,
  ExternalLink,
  Link2,
  type LucideIcon,
  Pencil,
  QrCode,
  Tag,
  Trash2,
} from "lucide-react";
import { useRef, useState } from "react";
import { FAILED_TO_COPY_LINK_TRY_AGAIN, LINK_COPIED, useCopy } from "../../../components/copy-button.tsx";
import { IconButton } from "../../../components/ui/button.tsx";
import { Can } from "../../../kit/can.tsx";
import { LINKS_ID } from "../../../lib/link-lists.ts";
import { useDisplayName } from "../../../lib/use-host.ts";
import { LinkDialog } from "../fields/link-fields.tsx";
import { LabelDialog } from "../labels.tsx";
import { isUsable } from "../link-state.tsx";
import { QrDialog } from "../sharing/qr-dialog.tsx";
import { useDeletion } from "./delete-links.ts";

type Opened = "name" | "labels" | "destination" | "qr" | "deletion";

export function CardMenu({ link }: { link: Link }) {
  const [dialog, setDialog] = useState<Opened>();
  const button = useRef<HTMLButtonElement>(null);
  const label = `More actions for ${useDisplayName(link)}`;
  const close = () => setDialog(undefined);

  /**
   * In the frame in which the menu closes, so that no key is lost. A dialog returns the focus to the button, which disappears with a
   * deleted link.
   */
  function open(wanted: Opened) {
    const place = wanted === "deletion" ? document.getElementById(LINKS_ID) : button.current;
    place?.focus({ preventScroll: true });
    setDialog(wanted);
  }

  return (
    <>
      {/* The page stays scrollable: locking it would add an inline style, which the policy of the site forbids. */}
      <Radix.Root modal={false}>
        <Radix.Trigger asChild>
          <IconButton ref={button} icon={EllipsisVertical} label={label} />
        </Radix.Trigger>
        {/* In the card, other cards would cover it. */}
        <Radix.Portal container={document.querySelector("main")}>
          <Radix.Content
            align="end"
            sideOffset={8}
            collisionPadding={8}
            onCloseAutoFocus={(event) => dialog && event.preventDefault()}
            className="z-50 max-h-(--radix-dropdown-menu-content-available-height) w-56 max-w-(--radix-dropdown-menu-content-available-width) overflow-y-auto rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card"
          >
            <MenuItems link={link} onOpen={open} />
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {dialog === "qr" && <QrDialog link={link} onClose={close} />}
      {dialog === "labels" && <LabelDialog links={[link]} onClose={close} />}
      {(dialog === "name" || dialog === "destination") && <LinkDialog link={link} field={dialog} onClose={close} />}
    </>
  );
}

function MenuItems({ link, onOpen }: { link: Link; onOpen: (opened: Opened) => void }) {
  const { copy } = useCopy(FAILED_TO_COPY_LINK_TRY_AGAIN, LINK_COPIED);
  const startDeletion = useDeletion();
  const item = (Icon: LucideIcon, text: string, onSelect: () => void) => (
    <Radix.Item className={ITEM} onSelect={onSelect}>
      <Icon aria-hidden className="size-4.5" />
      {text}
    </Radix.Item>
  );
  return (
    <>
      {isUsable(link) && (
        <>
          {item(Copy, "Copy link", () => copy(link.shortUrl))}
          <Can call="PATCH /api/links/:shortCode">
            {item(Pencil, "Rename", () => onOpen("name"))}
            {item(Tag, "Labels", () => onOpen("labels"))}
            {item(Link2, "Change destination", () => onOpen("destination"))}
          </Can>
          {item(QrCode, "QR code", () => onOpen("qr"))}
          <Radix.Item asChild className={ITEM}>
            <a href={link.shortUrl} target="_blank" rel="noopener">
              <ExternalLink aria-hidden className="size-4.5" />
              Open short link
            </a>
          </Radix.Item>
        </>
      )}
      <Can call="DELETE /api/links/bulk">
        <Radix.Item
          className={`${ITEM} text-danger`}
          onSelect={() => {
            onOpen("deletion");
            startDeletion([link.id]);
          }}
        >
          <Trash2 aria-hidden className="size-4.5" />
          Delete
        </Radix.Item>
      </Can>
    </>
  );
}

const ITEM =
  "flex min-h-11 w-full items-center gap-3 rounded-xl px-3 py-2 text-left text-md -outline-offset-2 data-highlighted:bg-sunken";
