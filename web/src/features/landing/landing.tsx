import { useQuery } from "@tanstack/react-query";
import { MARKETPLACES } from "@tapthru/proto/rules/amazon/marketplaces";
import { ANONYMOUS_LINK_EXPIRY_DAYS } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import {
  ArrowDown,
  Check,
  ChevronDown,
  Code,
  Lamp,
  Link2,
  Monitor,
  Search,
  Server,
  Smartphone,
  Tag,
} from "lucide-react";
import { type RefObject, useEffect, useId, useRef, useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { OutsideLink, PageLink } from "../../components/ui/links.tsx";
import { formatShare } from "../../lib/locale-formats.ts";
import { appName, DEVICE_NAMES } from "../../lib/names.ts";
import { appOpeningStatusQuery } from "../app-opening-status/index.ts";
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

const HOW_TO_STEPS = [
  ["Paste an Amazon link", "A product or your storefront, with your tag on it."],
  ["Copy your short link and share it", "In a post, a bio or a video description."],
  ["One tap opens the Amazon app", "Your tag comes along. Computers open Amazon's website."],
] as const;

export function HowItWorks() {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-12 lg:mt-8">
      <h2 id={id} className="text-center text-xl font-semibold tracking-tight md:text-start">
        How it works
      </h2>
      <div className="mt-5 grid items-center gap-x-8 gap-y-8 md:grid-cols-[5fr_6fr] lg:gap-x-12">
        <DemoVideo />
        <ol className="flex flex-col gap-4">
          {HOW_TO_STEPS.map(([title, text], index) => (
            <li key={title} className="flex gap-4">
              <span
                aria-hidden
                className="grid size-8 shrink-0 place-items-center rounded-full bg-accent font-semibold text-on-accent"
              >
                {index + 1}
              </span>
              <div className="min-w-0">
                <h3 className="pt-1 font-semibold">{title}</h3>
                <p className="mt-0.5 text-md leading-6 text-pretty text-muted">{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

const VISIBLE_SHARE = 0.7;

/**
 * Shows how a link is created and opened. The video has no sound, and its captions are part of the picture. It plays once
 * most of it is visible, unless the user prefers reduced motion.
 */
function DemoVideo() {
  const ref = useRef<HTMLVideoElement>(null);
  const wasInView = useWasInView(ref, VISIBLE_SHARE);
  useEffect(() => {
    if (!wasInView || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    // A browser in data or power saving mode may refuse. The user can still press play.
    ref.current?.play().catch(() => {});
  }, [wasInView]);

  return (
    <video
      ref={ref}
      aria-label="Demo: from an Amazon link to the Amazon app"
      className="aspect-4/3 w-full rounded-2xl border border-line bg-sunken shadow-card"
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
  );
}

const SHOWN_APPS = 3;

/** How often the app opened in the apps with the most reports. Nothing as long as none has enough of them. */
function OpenRates() {
  const ref = useRef<HTMLDivElement>(null);
  const { data } = useQuery({ ...appOpeningStatusQuery, enabled: useWasInView(ref, 0) });
  const rows = data?.rows.slice(0, SHOWN_APPS) ?? [];

  return (
    <div ref={ref} className="md:col-span-2">
      {rows.length > 0 && (
        <section className="rounded-2xl bg-sunken px-5 py-4">
          <h2 className="font-semibold">
            <PageLink to={paths.appOpeningStatus} className="underline underline-offset-4">
              How often the Amazon app opens
            </PageLink>
          </h2>
          <dl className="mt-2 grid auto-cols-fr grid-flow-col gap-4">
            {rows.map(({ row, app, os, tried, opened }) => (
              <div key={`${row} ${app} ${os}`} className="flex flex-col-reverse justify-end">
                <dt className="text-sm">{`${appName(app)} on ${DEVICE_NAMES[os]}`}</dt>
                <dd className="text-xl font-semibold tabular-nums">{formatShare(opened / tried)}</dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  );
}

/** Whether this share of an element (0 to 1) has been in view. */
function useWasInView(ref: RefObject<Element | null>, share: number): boolean {
  const [wasInView, setWasInView] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        setWasInView(true);
      },
      { threshold: share },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, share]);
  return wasInView;
}

const AUDIENCE_TEXTS = {
  affiliates: ["Affiliates", "A tag for each store, taps by source, and a warning when a tag or product is missing."],
  creators: [
    "Creators",
    "Instagram, TikTok and YouTube open links in a browser of their own. Short links lead from there to the Amazon app.",
  ],
  developers: ["Developers", "Create and manage links with the API, webhooks and AI assistants."],
  owners: [
    "You, on your own server",
    "This software is open source, under the MIT license: read it, and run it yourself.",
  ],
} as const;

const QUESTIONS_AND_ANSWERS = [
  [
    "Does Amazon allow this?",
    "Amazon forbids Associates short links that hide where they lead, and redirects that nobody tapped. So our pages name Amazon, and only a tap on your link opens it. Add this site to your Associates account, as visits in the app don't name theirs. If in doubt, ask Amazon.",
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

const AUDIENCES = [
  { Icon: Tag, text: AUDIENCE_TEXTS.affiliates },
  { Icon: Smartphone, text: AUDIENCE_TEXTS.creators },
  { Icon: Code, text: AUDIENCE_TEXTS.developers },
  { Icon: Server, text: AUDIENCE_TEXTS.owners },
];

const HEADING = "text-xl font-semibold tracking-tight";

export function GuestSections() {
  return (
    <div className="mt-10 grid gap-x-8 gap-y-10 md:grid-cols-2 lg:gap-x-12">
      <Audiences />
      <Questions />
      <OpenRates />
    </div>
  );
}

function Audiences() {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={HEADING}>
        Made for
      </h2>
      <ul className="mt-4 flex flex-col gap-5">
        {AUDIENCES.map(({ Icon, text: [title, text] }) => (
          <li key={title} className="flex gap-4">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <div className="min-w-0">
              <h3 className="font-semibold">{title}</h3>
              <p className="mt-0.5 text-md leading-6 text-pretty text-muted">
                {text}{" "}
                {title === AUDIENCE_TEXTS.developers[0] && (
                  <OutsideLink href="/api/docs" className={textLinkClass}>
                    API reference
                  </OutsideLink>
                )}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Questions() {
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
