import { messages } from "@tapthru/proto/rules/messages";
import { Monitor, Smartphone, Tag } from "lucide-react";

const POINTS = [
  { Icon: Smartphone, text: messages.homePoints.app },
  { Icon: Tag, text: messages.homePoints.tag },
  { Icon: Monitor, text: messages.homePoints.desktop },
];

/** Stands where the result will be. */
export function SellingPoints() {
  return (
    <ul className="grid gap-5 pt-2 sm:grid-cols-3 sm:gap-6">
      {POINTS.map(({ Icon, text: [title, text] }) => (
        <li key={title} className="flex gap-3 sm:flex-col">
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
