import { ANONYMOUS_LINK_EXPIRY_DAYS } from "@tapthru/proto/rules/limits";
import { ChevronDown, Code, Smartphone, Tag } from "lucide-react";
import { useId } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";

const AUDIENCE_TEXTS = {
  affiliates: [
    "Affiliates",
    "A tag for each country, clicks by source, and a warning when a link has no tag or its product is gone.",
  ],
  creators: [
    "Creators",
    "Instagram, TikTok and YouTube open links in a browser of their own. Short links lead from there to the Amazon app.",
  ],
  developers: ["Developers", "Create and manage links with the API, webhooks and AI assistants."],
} as const;

const QUESTIONS_AND_ANSWERS = [
  [
    "Does Amazon allow this?",
    "Amazon's rules for Associates forbid short links that hide that they lead to Amazon, and redirects that nobody tapped. So our pages name Amazon, and only a tap on your link opens it. Visits that open the app don't say which site they came from: add this site to your Associates account, and ask Amazon if in doubt.",
  ],
  [
    "Does my tag stay on the link?",
    "Yes, in the app and in the browser. If you turn on routing, visitors from other countries get your tag for their store. Beside each new link you see its tag, or a warning that it has none.",
  ],
  [
    "What happens on a computer?",
    "The original Amazon page opens in the browser. Phones without the Amazon app can open it there too.",
  ],
  ["Does it cost anything?", "No. Links and accounts are free."],
  [
    "How long do links work?",
    `${ANONYMOUS_LINK_EXPIRY_DAYS} days without an account. With an account, until you delete them or the date you choose.`,
  ],
  [
    "Which Amazon links work?",
    "Products, storefronts, lists and searches of 24 Amazon stores, and short links of amzn.to and a.co.",
  ],
] as const;

const AUDIENCES = [
  { Icon: Tag, text: AUDIENCE_TEXTS.affiliates },
  { Icon: Smartphone, text: AUDIENCE_TEXTS.creators },
  { Icon: Code, text: AUDIENCE_TEXTS.developers },
];

const HEADING = "text-2xl font-semibold tracking-tight";

/** For whom the product is, and answers to questions before signing up. */
export function GuestSections() {
  return (
    <div className="mt-10 grid gap-x-8 gap-y-10 md:grid-cols-2 lg:gap-x-12">
      <Audiences />
      <Questions />
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
