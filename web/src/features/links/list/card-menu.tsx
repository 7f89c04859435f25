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
import { useDisplayName } from "../../../lib/use-host.ts";
import { LinkDialog } from "../fields/link-fields.tsx";
import { LabelDialog } from "../labels.tsx";
import { isUsable } from "../link-state.tsx";
import { QrDialog } from "../sharing/qr-dialog.tsx";

export interface CardMenuProps {
  link: Link;
  onDelete: (links: readonly Link[]) => void;
}

/** The button that opens the menu of a card. The menu is rendered when it is first opened: a list has many. */
export function CardMenu(props: CardMenuProps) {
  const label = `More actions for ${useDisplayName(props.link)}`;
  const [openedBy, setOpenedBy] = useState<"key" | "pointer" | null>(null);
  if (openedBy) return <CardDropdown label={label} isByKeyboard={openedBy === "key"} {...props} />;
  return (
    <IconButton
      icon={EllipsisVertical}
      label={label}
      aria-haspopup="menu"
      onClick={({ detail }) => setOpenedBy(detail === 0 ? "key" : "pointer")}
    />
  );
}

interface CardDropdownProps extends CardMenuProps {
  label: string;
  /** True if a key opened it: the first item then has the focus. */
  isByKeyboard: boolean;
}

function CardDropdown({ label, isByKeyboard, link, onDelete }: CardDropdownProps) {
  const { copy } = useCopy(FAILED_TO_COPY_LINK_TRY_AGAIN, LINK_COPIED);
  const [dialog, setDialog] = useState<"name" | "labels" | "destination" | "qr">();
  const button = useRef<HTMLButtonElement>(null);
  // Radix does so from the second time on.
  const [isOpenedByKey, setOpenedByKey] = useState(isByKeyboard);

  /** In the frame in which the menu closes, so that no key is lost. The dialog returns the focus to the button. */
  function open(wanted: typeof dialog) {
    button.current?.focus();
    setDialog(wanted);
  }

  const opener = (wanted: typeof dialog, Icon: LucideIcon, text: string) => (
    <Radix.Item className={ITEM} onSelect={() => open(wanted)}>
      <Icon aria-hidden className="size-4.5" />
      {text}
    </Radix.Item>
  );
  const close = () => setDialog(undefined);

  return (
    <>
      {/* The page stays scrollable: locking it would add an inline style, which the policy of the site forbids. */}
      <Radix.Root modal={false} defaultOpen onOpenChange={() => setOpenedByKey(false)}>
        <Radix.Trigger asChild>
          <IconButton ref={button} icon={EllipsisVertical} label={label} />
        </Radix.Trigger>
        {/* In the card, other cards would cover it. */}
        <Radix.Portal container={document.querySelector("main")}>
          <Radix.Content
            ref={isOpenedByKey ? focusFirstItem : undefined}
            align="end"
            sideOffset={8}
            collisionPadding={8}
            onCloseAutoFocus={(event) => dialog && event.preventDefault()}
            className="z-50 max-h-(--radix-dropdown-menu-content-available-height) w-56 max-w-(--radix-dropdown-menu-content-available-width) overflow-y-auto rounded-2xl border border-line bg-surface p-1.5 text-ink shadow-card"
          >
            {isUsable(link) && (
              <>
                <Radix.Item className={ITEM} onSelect={() => copy(link.shortUrl)}>
                  <Copy aria-hidden className="size-4.5" />
                  Copy link
                </Radix.Item>
                <Can call="PATCH /api/links/:shortCode">
                  {opener("name", Pencil, "Rename")}
                  {opener("labels", Tag, "Labels")}
                  {opener("destination", Link2, "Change destination")}
                </Can>
                {opener("qr", QrCode, "QR code")}
                <Radix.Item asChild className={ITEM}>
                  <a href={link.shortUrl} target="_blank" rel="noopener">
                    <ExternalLink aria-hidden className="size-4.5" />
                    Open short link
                  </a>
                </Radix.Item>
              </>
            )}
            <Can call="DELETE /api/links/bulk">
              <Radix.Item className={`${ITEM} text-danger`} onSelect={() => onDelete([link])}>
                <Trash2 aria-hidden className="size-4.5" />
                Delete
              </Radix.Item>
            </Can>
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
      {dialog === "qr" && <QrDialog link={link} onClose={close} />}
      {dialog === "labels" && <LabelDialog links={[link]} onClose={close} />}
      {(dialog === "name" || dialog === "destination") && <LinkDialog link={link} field={dialog} onClose={close} />}
    </>
  );
}

const ITEM =
  "flex min-h-11 w-full items-center gap-3 rounded-xl px-3 py-2 text-left text-md -outline-offset-2 data-highlighted:bg-sunken";

function focusFirstItem(menu: HTMLElement | null): void {
  menu?.querySelector<HTMLElement>("[role=menuitem]")?.focus({ preventScroll: true });
}
