import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { ANONYMOUS_LINK_EXPIRY_DAYS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { ArrowDown, Check, ChevronDown, Lamp, Link2, Monitor, Search, Smartphone, Tag } from "lucide-react";
import { useId } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import mp4 from "./media/demo.mp4?no-inline";
import captions from "./media/demo.vtt?no-inline";
import webm from "./media/demo.webm?no-inline";
import poster from "./media/poster.webp?no-inline";

const POINTS = [
  [Smartphone, "Opens the app", "One tap, on iPhone and Android."],
  [Tag, "Keeps your tag", "In the app and in the browser."],
  [Monitor, "Works on computers", "There it opens Amazon's website."],
] as const;

export function SellingPoints() {
  return (
    <div className="flex flex-col items-center justify-center gap-6 sm:flex-row sm:gap-14">
      <Phone />
      <ul className="flex flex-col gap-5 sm:gap-7">
        {POINTS.map(([Icon, title, text]) => (
          <li key={title} className="flex gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <div>
              <h2 className="font-semibold">{title}</h2>
              <p className="text-md text-pretty text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Phone() {
  return (
    <div
      role="img"
      aria-label="A phone: a tap on a short link opens the product in the Amazon app, with your tag."
      className="w-48 max-w-full shrink-0 rounded-4xl border-4 border-ink/70 bg-sunken px-2.5 pt-2.5 pb-3 text-sm shadow-card"
    >
      <div className="mx-auto mb-2.5 h-1 w-12 rounded-full bg-line-strong" />
      <p className="flex items-center justify-center gap-1.5 rounded-full bg-accent py-1 font-medium text-on-accent">
        <Link2 className="size-4" />
        /l/lamp
      </p>
      <ArrowDown className="mx-auto my-1.5 size-4 text-muted" />
      <div className="flex flex-col gap-2 rounded-2xl border border-line bg-surface p-2.5 motion-safe:animate-appear-late">
        <p className="flex items-center gap-1.5 rounded-lg border border-line px-2 py-0.5">
          <Search className="size-4 text-muted" />
          Amazon app
        </p>
        <div className="grid h-20 place-items-center rounded-lg bg-sunken">
          <Lamp className="size-10 text-accent" />
        </div>
        <div className="h-2 w-4/5 rounded-full bg-line" />
        <div className="h-2 w-1/2 rounded-full bg-line" />
        <p className="flex items-center gap-1 font-medium text-accent">
          <Check className="size-4" />
          your-tag-21
        </p>
      </div>
    </div>
  );
}

const HEADING = "text-xl font-semibold tracking-tight";

/** The video has no sound, and its captions are part of the picture. */
export function HowItWorks() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mx-auto w-full max-w-2xl">
      <h2 id={id} className={HEADING}>
        How it works
      </h2>
      <video
        aria-label="Demo: from an Amazon link to the Amazon app"
        className="mt-4 aspect-4/3 w-full rounded-2xl border border-line bg-sunken shadow-card"
        controls
        muted
        playsInline
        preload="none"
        poster={poster}
        width={1200}
        height={900}
      >
        <source src={webm} type="video/webm" />
        <source src={mp4} type="video/mp4" />
        <track kind="captions" srcLang="en" label="English" src={captions} />
      </video>
      <PageLink to={paths.appOpeningStatus} className={`${textLinkClass} mt-3 inline-block py-1`}>
        How often the Amazon app opens
      </PageLink>
    </section>
  );
}

const QUESTIONS_AND_ANSWERS = [
  [
    "Does Amazon allow this?",
    "Amazon forbids Associates short links that hide where they lead, and redirects that nobody tapped. So our pages name Amazon, and only a tap on your link opens it. Add this site to your Associates account, because visits in the app don't name it. If in doubt, ask Amazon.",
  ],
  [
    "Does my tag stay on the link?",
    "Yes, in the app and in the browser. You see it beside each new link, or a warning that it has none. Visitors from other countries can get your tag for their store.",
  ],
  [
    "What happens on a computer?",
    "The original Amazon page opens in the browser. Phones without the Amazon app can open it there too.",
  ],
  ["Does it cost anything?", "No. Links and accounts are free."],
  [
    "Who runs this?",
    "The operator of this site, whose address is in the privacy policy. Others run the same software elsewhere.",
  ],
  [
    "How long do links work?",
    `${ANONYMOUS_LINK_EXPIRY_DAYS} days without an account. With an account, until you delete them or the date you choose.`,
  ],
  [
    "Which Amazon links work?",
    `Products, storefronts, lists and searches of ${Object.keys(MARKETPLACES).length} Amazon stores, and short links of amzn.to and a.co.`,
  ],
] as const;

export function Questions() {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={HEADING}>
        Questions
      </h2>
      <div className="mt-2 divide-y divide-line">
        {QUESTIONS_AND_ANSWERS.map(([question, answer]) => (
          <details key={question} name={id} className="group">
            <summary className="flex cursor-pointer list-none items-center justify-between gap-4 rounded-sm py-2.5 font-medium hover:text-accent [&::-webkit-details-marker]:hidden">
              {question}
              <ChevronDown
                aria-hidden
                className="size-4 shrink-0 text-muted transition-transform group-open:rotate-180 motion-reduce:transition-none"
              />
            </summary>
            <p className="pb-4 text-md leading-6 text-pretty text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}
