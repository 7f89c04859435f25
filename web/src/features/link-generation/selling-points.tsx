import { Monitor, Smartphone, Tag } from "lucide-react";

const HOME_POINTS = {
  app: ["Opens the app", "One tap opens the Amazon app on iPhone and Android."],
  tag: ["Keeps your tag", "Every parameter stays exactly as you pasted it."],
  desktop: ["Works on desktop", "Opens the original Amazon page."],
} as const;

const POINTS = [
  { Icon: Smartphone, text: HOME_POINTS.app },
  { Icon: Tag, text: HOME_POINTS.tag },
  { Icon: Monitor, text: HOME_POINTS.desktop },
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
