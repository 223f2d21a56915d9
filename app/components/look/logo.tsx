const DOTS = 9;
const NEEDED = 5;
const CENTRE = 16;
const RING = 11.4;

/** The mark: a ring of seats, enough of them taken to decide. `filled` of `of` seats draws a vote that is under way. */
export function Logo({
  className = 'size-8',
  filled = NEEDED,
  of = DOTS,
  title,
}: {
  className?: string;
  filled?: number;
  of?: number;
  title?: string;
}) {
  const dots = Array.from({ length: of }, (_, seat) => {
    const angle = (seat / of) * 2 * Math.PI - Math.PI / 2;
    const taken = seat < filled;
    return (
      <circle
        // biome-ignore lint/suspicious/noArrayIndexKey: a seat is its place in the ring
        key={seat}
        cx={(CENTRE + RING * Math.cos(angle)).toFixed(2)}
        cy={(CENTRE + RING * Math.sin(angle)).toFixed(2)}
        r={taken ? 2.9 : 2.3}
        className={taken ? 'fill-accent stroke-accent' : 'fill-none stroke-edge'}
        strokeWidth={1.2}
      />
    );
  });
  if (title === undefined) {
    return (
      <svg viewBox="0 0 32 32" className={className} aria-hidden="true">
        {dots}
      </svg>
    );
  }
  return (
    <svg viewBox="0 0 32 32" className={className} role="img" aria-label={title}>
      {dots}
    </svg>
  );
}

/** Mark and name. */
export function Wordmark({ name, className = '' }: { name: string; className?: string }) {
  return (
    <span className={`inline-flex items-center gap-2.5 text-lg font-semibold tracking-tight text-ink ${className}`}>
      <Logo className="size-7 shrink-0" />
      {name}
    </span>
  );
}
