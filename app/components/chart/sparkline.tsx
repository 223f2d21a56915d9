import { type SeriesTone, TONES } from '#app/components/chart/series-look.tsx';

const [WIDTH, HEIGHT] = [100, 24];

/** The course of a figure in the size of a word, for the eye alone: what it shows is said beside it. Null: a gap. Times go from left to right. */
export function Sparkline({ values, tone }: { values: readonly (number | null)[]; tone: SeriesTone }) {
  const highest = Math.max(0, ...values.map((value) => value ?? 0)) || 1;
  const x = (at: number) => ((at + 0.5) / values.length) * WIDTH;
  const y = (value: number) => HEIGHT - 2 - (value / highest) * (HEIGHT - 4);
  const path = values
    .map((value, at) =>
      value === null ? '' : `${at > 0 && values[at - 1] !== null ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`,
    )
    .join('');
  return (
    <svg
      aria-hidden="true"
      data-decorative=""
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-8 w-full overflow-visible"
    >
      <line x1="0" x2={WIDTH} y1={HEIGHT - 1} y2={HEIGHT - 1} className="stroke-line" strokeWidth={1} vectorEffect="non-scaling-stroke" />
      <path
        d={path}
        className={`fill-none ${TONES[tone].stroke}`}
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
