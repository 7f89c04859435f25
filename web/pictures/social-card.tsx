import { messages } from "@tapthru/proto/rules/messages";
import { createRoot } from "react-dom/client";
import { Logo } from "../src/components/logo.tsx";
import { ParcelIcon } from "../src/components/parcel-icon.tsx";
import "../src/styles.css";

const productName = new URLSearchParams(location.search).get("name") ?? "";

createRoot(document.getElementById("root") as HTMLElement).render(
  <main className="relative isolate flex h-[630px] w-[1200px] items-center gap-16 overflow-hidden bg-page pr-24 pl-20">
    <div className="flex flex-1 flex-col gap-9">
      <div className="origin-left scale-200">
        <Logo name={productName} />
      </div>
      <h1 className="mt-3 text-7xl leading-[1.08] font-semibold tracking-tight text-balance">
        {messages.homeTitle}
      </h1>
      <p className="text-3xl leading-snug text-balance text-muted">{messages.socialCardText}</p>
    </div>
    <div className="absolute -top-20 -right-56 -z-10 size-[800px] rounded-full bg-notice" />
    <Phone />
  </main>,
);

/** A phone that shows a link and the product page it opens. */
function Phone() {
  return (
    <div className="relative h-[500px] w-[250px] shrink-0 rounded-[44px] border-[10px] border-ink bg-surface shadow-card">
      <div className="mx-auto mt-3 h-2 w-16 rounded-full bg-line" />
      <div className="m-5 grid h-48 place-items-center rounded-3xl bg-sunken text-accent">
        <ParcelIcon className="size-24" strokeWidth={1.25} />
      </div>
      <div className="mx-5 h-4 rounded-full bg-line" />
      <div className="mx-5 mt-3 h-4 w-32 rounded-full bg-line" />
      <div className="mx-5 mt-8 h-12 rounded-2xl bg-accent" />
      <div className="absolute top-[400px] -left-28 flex items-center gap-3 rounded-2xl border border-line bg-surface py-4 pr-7 pl-5 text-2xl font-medium shadow-card">
        <span className="size-4 rounded-full bg-accent" />
        /l/ab3k9xt
      </div>
    </div>
  );
}
