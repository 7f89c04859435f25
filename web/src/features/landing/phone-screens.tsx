/** A post with a short link, which is tapped. */
export function PostScreen() {
  return (
    <>
      <rect x="32" y="12" width="216" height="476" className="fill-surface" />
      <circle cx="58" cy="69" r="14" className="fill-toast" />
      <circle cx="58" cy="66" r="4.5" className="fill-toast-ink" />
      <path d="M49.5 77a8.5 7 0 0 1 17 0z" className="fill-toast-ink" />
      <text x="80" y="67" className="fill-ink font-semibold">
        yourname
      </text>
      <text x="80" y="80" className="fill-muted">
        My desk
      </text>
      <rect x="32" y="96" width="216" height="236" className="fill-notice" />
      <rect x="32" y="278" width="216" height="54" className="fill-toast-line" />
      <Lamp x={84} y={140} />
      <g transform="translate(0 24)">
        <path
          d="M54 340c-9-6-12-10-9-15 2-3 7-3 9 1 2-4 7-4 9-1 3 5 0 9-9 15z"
          fill="none"
          strokeWidth="1.75"
          strokeLinejoin="round"
          className="stroke-ink"
        />
        <path
          d="M79 338l2-5a8 7 0 1 1 4 3z"
          fill="none"
          strokeWidth="1.75"
          strokeLinejoin="round"
          className="stroke-ink"
        />
        <text x="44" y="366" className="fill-ink">
          The lamp on my desk
          <tspan dx="4" className="fill-muted">
            #ad
          </tspan>
        </text>
        <rect x="44" y="382" width="192" height="42" rx="21" className="fill-accent" />
        <text x="140" y="408" textAnchor="middle" className="fill-on-accent font-semibold">
          tapthru.example/l/lamp
        </text>
        <circle cx="196" cy="404" r="22" className="phone-tap fill-ink" />
      </g>
      <HomeIndicator />
    </>
  );
}

/** The product in the Amazon app, in our own drawing. */
export function AppScreen() {
  return (
    <>
      <rect x="32" y="12" width="216" height="476" className="fill-surface" />
      <rect x="32" y="12" width="216" height="80" className="fill-sunken" />
      <rect x="44" y="50" width="192" height="30" rx="15" className="fill-surface stroke-line" />
      <circle cx="60" cy="64" r="4.5" fill="none" strokeWidth="1.75" className="stroke-muted" />
      <path d="m63.5 67.5 4 4" strokeWidth="1.75" strokeLinecap="round" className="stroke-muted" />
      <text x="76" y="69" className="fill-muted">
        Search Amazon
      </text>
      <rect x="32" y="92" width="216" height="200" className="fill-page" />
      <Lamp x={84} y={108} />
      <text x="44" y="326" fontSize="13.5" className="fill-ink font-semibold">
        Desk lamp, dimmable
      </text>
      {[0, 1, 2, 3].map((star) => (
        <Star key={star} x={44 + 16 * star} className="fill-label-orange" />
      ))}
      <Star x={108} className="fill-line" />
      <rect x="44" y="362" width="192" height="36" rx="18" className="fill-toast" />
      <text x="140" y="384" textAnchor="middle" className="fill-toast-ink font-semibold">
        Add to Cart
      </text>
      <rect x="44" y="406" width="192" height="36" rx="18" className="fill-toast-line" />
      <text x="140" y="428" textAnchor="middle" className="fill-toast-ink font-semibold">
        Buy Now
      </text>
      <path d="M32 452.5h216" className="stroke-line" />
      <HomeIndicator />
    </>
  );
}

function HomeIndicator() {
  return <rect x="106" y="476" width="68" height="4" rx="2" className="fill-ink" />;
}

function Lamp({ x, y }: { x: number; y: number }) {
  return (
    <svg aria-hidden="true" x={x} y={y} width="112" height="172" viewBox="0 0 112 172" fill="none">
      <path d="M14 79h44l20 79H2z" className="fill-label-orange" opacity="0.18" />
      <path
        d="M88 160 96 84 48 34"
        strokeWidth="6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="stroke-accent"
      />
      <path d="M62 160h46" strokeWidth="8" strokeLinecap="round" className="stroke-accent" />
      <path d="m52 24 14 15-10 39H14z" className="fill-accent" />
      <ellipse cx="36" cy="79" rx="22" ry="4" className="fill-toast" />
      <circle cx="96" cy="84" r="6" className="fill-toast" />
    </svg>
  );
}

function Star({ x, className }: { x: number; className: string }) {
  return (
    <svg aria-hidden="true" x={x} y="337" width="14" height="14" viewBox="0 0 24 24" className={className}>
      <path d="m12 2 3 6.6 7.2.8-5.4 4.8 1.6 7.1L12 17.6l-6.4 3.7 1.6-7.1L1.8 9.4 9 8.6z" />
    </svg>
  );
}
