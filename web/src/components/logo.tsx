export function Logo({ name }: { name: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2.5 text-lg leading-tight font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-emblem shrink-0" fill="none">
        <rect width="32" height="32" rx="9" className="fill-accent" />
        <path
          d="M8 10.5h16M16 10.5v7.5a4 4 0 0 0 4 4h3.5M20.5 18.5 24 22l-3.5 3.5"
          className="stroke-on-accent"
          strokeWidth="2.75"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className="line-clamp-2 wrap-anywhere">{name}</span>
    </span>
  );
}
