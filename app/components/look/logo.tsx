const DOTS = 9;
const NEEDED = 5;
const CENTRE = 16;
const RING = 11.4;

/** A circle as a part of a path: one element can then draw many. */
export const dot = (x: number, y: number, radius: number) =>
  `M${(x - radius).toFixed(2)} ${y.toFixed(2)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;

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
  const seats = Array.from({ length: of }, (_, seat) => (seat / of) * 2 * Math.PI - Math.PI / 2);
  const ring = (angles: number[], radius: number) =>
    angles.map((angle) => dot(CENTRE + RING * Math.cos(angle), CENTRE + RING * Math.sin(angle), radius)).join('');
  const dots = (
    <>
      <path d={ring(seats.slice(0, filled), 2.9)} className="fill-accent stroke-accent" strokeWidth={1.2} />
      {filled < of ? <path d={ring(seats.slice(filled), 2.3)} className="fill-none stroke-edge" strokeWidth={1.2} /> : null}
    </>
  );
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
