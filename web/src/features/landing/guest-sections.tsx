import { messages } from "@tapthru/proto/rules/messages";
import { ChevronDown, Code, Smartphone, Tag } from "lucide-react";
import { useId } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { OutsideLink } from "../../components/ui/links.tsx";

const AUDIENCES = [
  { Icon: Tag, text: messages.audiences.affiliates },
  { Icon: Smartphone, text: messages.audiences.creators },
  { Icon: Code, text: messages.audiences.developers },
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
        {messages.madeFor}
      </h2>
      <ul className="mt-4 flex flex-col gap-5">
        {AUDIENCES.map(({ Icon, text: [title, text] }) => (
          <li key={title} className="flex gap-4">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
            <div className="min-w-0">
              <h3 className="font-semibold">{title}</h3>
              <p className="mt-0.5 text-md leading-6 text-pretty text-muted">
                {text}{" "}
                {title === messages.audiences.developers[0] && (
                  <OutsideLink href="/api/docs" className={textLinkClass}>
                    {messages.apiDocumentation}
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
        {messages.questions}
      </h2>
      <div className="mt-2 divide-y divide-line">
        {messages.questionsAndAnswers.map(([question, answer]) => (
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
