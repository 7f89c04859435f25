import { RotateCcw } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import { textLinkClass } from "../../components/ui/button.tsx";
import { useWasInView } from "../../lib/use-was-in-view.ts";
import { AppScreen, PostScreen } from "./phone-screens.tsx";

const VISIBLE_SHARE = 0.6;

/** A phone on which the link in a post opens the app. Plays once it is in view; without motion it shows the app. */
export function PhoneDemo() {
  const ref = useRef<HTMLDivElement>(null);
  const wasInView = useWasInView(ref, VISIBLE_SHARE);
  const [plays, setPlays] = useState(0);
  return (
    <div ref={ref} data-waiting={wasInView || plays > 0 ? undefined : ""} className="flex flex-col items-center gap-2">
      <Phone key={plays} />
      <button
        type="button"
        onClick={() => setPlays(plays + 1)}
        className={`${textLinkClass} flex items-center gap-1.5 py-1 text-sm motion-reduce:hidden`}
      >
        <RotateCcw aria-hidden className="size-3.5" />
        Play again
      </button>
    </div>
  );
}

function Phone() {
  const screenId = useId();
  return (
    <svg
      role="img"
      aria-label="A tap on a short link in a post opens the product in the Amazon app, with your tag."
      viewBox="0 0 280 500"
      fontSize="11.5"
      className="w-full text-ink select-none"
    >
      <clipPath id={screenId}>
        <rect x="32" y="12" width="216" height="476" rx="36" />
      </clipPath>
      <rect x="40" y="16" width="208" height="484" rx="44" className="fill-line" />
      <rect x="24.5" y="4.5" width="231" height="491" rx="43" className="fill-phone stroke-line-strong" />
      <g clipPath={`url(#${screenId})`}>
        <PostScreen />
        <g className="phone-app">
          <AppScreen />
        </g>
        <StatusBar />
      </g>
      <Label x={0} y={85} width={146} className="phone-label">
        <path
          d="m14 14 4 4 8-8"
          fill="none"
          strokeWidth="2.5"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-accent"
        />
        <text x="36" y="20" fontSize="13.5" className="fill-ink font-semibold">
          Amazon app
        </text>
      </Label>
      <Label x={92} y={254} width={188} height={52} className="phone-label phone-label-last">
        <path d="M12 20v-8h8l11 11-8 8z" fill="none" strokeWidth="2" strokeLinejoin="round" className="stroke-accent" />
        <circle cx="17" cy="17" r="1.5" className="fill-accent" />
        <text x="42" y="23" fontSize="13.5" className="fill-ink font-semibold">
          yourname-20
        </text>
        <text x="42" y="39" className="fill-muted">
          Your tag comes along
        </text>
      </Label>
    </svg>
  );
}

interface LabelProps {
  x: number;
  y: number;
  width: number;
  height?: number;
  className: string;
  children: ReactNode;
}

/** A label that reaches beyond the phone. */
function Label({ x, y, width, height = 32, className, children }: LabelProps) {
  return (
    <g className={className}>
      <svg aria-hidden="true" x={x} y={y} width={width} height={height + 4} overflow="visible">
        <rect y="3" width={width} height={height} rx="16" className="fill-ink" opacity="0.12" />
        <rect x="0.5" y="0.5" width={width - 1} height={height - 1} rx="15.5" className="fill-surface stroke-line" />
        {children}
      </svg>
    </g>
  );
}

function StatusBar() {
  return (
    <>
      <text x="52" y="34" className="fill-ink font-semibold">
        9:41
      </text>
      <rect x="114" y="20" width="52" height="17" rx="8.5" className="fill-phone" />
      <rect x="208" y="25" width="18" height="9" rx="3" fill="none" className="stroke-ink" />
      <rect x="210" y="27" width="11" height="5" rx="1.5" className="fill-ink" />
    </>
  );
}
