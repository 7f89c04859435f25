import { messages } from "@tapthru/proto/rules/messages";
import { Monitor, Smartphone, Tag } from "lucide-react";

const POINTS = [
  { Icon: Smartphone, text: messages.homePoints.app },
  { Icon: Tag, text: messages.homePoints.tag },
  { Icon: Monitor, text: messages.homePoints.desktop },
];

/** Fills the space reserved for the result until there is one. */
export function SellingPoints() {
  return (
    <ul className="grid gap-3 sm:grid-cols-3 sm:gap-6 sm:pt-2">
      {POINTS.map(({ Icon, text: [title, text] }) => (
        <li
          key={title}
          className="flex flex-col gap-3 rounded-2xl border border-line bg-surface p-5 sm:rounded-none sm:border-0 sm:bg-transparent sm:p-0"
        >
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
          <div>
            <h2 className="text-md font-semibold">{title}</h2>
            <p className="mt-0.5 text-sm leading-5 text-pretty text-muted">{text}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
