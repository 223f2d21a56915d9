/** One value for each point; null where nothing was measured (a gap, not a zero). Values below 0 are drawn as 0. */
export type ChartSeries = { key: string; label: string; tone: SeriesTone; values: readonly (number | null)[] };
/** Colour by role. Each status has its own tone everywhere; anything else uses `accent`, `info` or `neutral`. */
export type SeriesTone = 'accent' | 'info' | 'ok' | 'attention' | 'danger' | 'neutral';

export const TONES: Record<SeriesTone, { fill: string; stroke: string }> = {
  accent: { fill: 'fill-accent', stroke: 'stroke-accent' },
  info: { fill: 'fill-info-ink', stroke: 'stroke-info-ink' },
  ok: { fill: 'fill-ok-ink', stroke: 'stroke-ok-ink' },
  attention: { fill: 'fill-attention-ink', stroke: 'stroke-attention-ink' },
  danger: { fill: 'fill-danger-ink', stroke: 'stroke-danger-ink' },
  neutral: { fill: 'fill-muted', stroke: 'stroke-muted' },
};

/** Each place in a chart has a weave, a dash and a marker of its own, so that colour is never the only difference. */
const WEAVES = [
  null,
  { size: 6, d: 'M-1 7 7-1M-1 1 1-1M5 7 7 5' },
  { size: 5, d: 'M2.5 1.6v1.8' },
  { size: 5, d: 'M0 2.5h5' },
  { size: 7, d: 'M0 0 7 7M7 0 0 7' },
  { size: 5, d: 'M2.5 0v5' },
] as const;
const DASHES = ['none', '7 4', '2 3', '10 3 2 3', '4 2', '1 5'] as const;
const MARKERS = [
  'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
  'M-3-3h6v6h-6z',
  'M0-4 4 3h-8z',
  'M0-4 4 0 0 4-4 0z',
  'M-3 0h6M0-3v6',
  'M-3-3 3 3M3-3-3 3',
] as const;

export const dashOf = (place: number) => DASHES[place % DASHES.length];
export const markerOf = (place: number) => MARKERS[place % MARKERS.length];

export type WovenSeries = { key: string; tone: SeriesTone };

/** `fill` of an area of this series: its plain tone, or its weave from `Weaves`. */
export function areaFill(chartId: string, place: number): { fill?: string } {
  return WEAVES[place % WEAVES.length] === null ? {} : { fill: `url(#${chartId}-${place})` };
}

/** The weaves of a chart's series, to be drawn once inside its SVG. */
export function Weaves({ chartId, series }: { chartId: string; series: readonly WovenSeries[] }) {
  return (
    <defs>
      {series.map(({ key, tone }, place) => {
        const weave = WEAVES[place % WEAVES.length];
        if (!weave) return null;
        return (
          <pattern key={key} id={`${chartId}-${place}`} width={weave.size} height={weave.size} patternUnits="userSpaceOnUse">
            <rect width={weave.size} height={weave.size} className="fill-surface" />
            <path d={weave.d} className={`fill-none ${TONES[tone].stroke}`} strokeWidth={1.6} strokeLinecap="square" />
          </pattern>
        );
      })}
    </defs>
  );
}

/** The sample of a series in the legend: a small piece of its line or bar. */
export function Sample({ chartId, place, tone, line }: { chartId: string; place: number; tone: SeriesTone; line: boolean }) {
  const { fill, stroke } = TONES[tone];
  if (line)
    return (
      <svg aria-hidden="true" width="28" height="12" className="shrink-0">
        <path d="M1 6h26" className={`fill-none ${stroke}`} strokeWidth={2} strokeDasharray={dashOf(place)} />
        <path d={markerOf(place)} transform="translate(14 6)" className={`${fill} ${stroke}`} strokeWidth={1} />
      </svg>
    );
  return (
    <svg aria-hidden="true" width="14" height="14" className="shrink-0">
      <rect x="0.5" y="0.5" width="13" height="13" rx="2" className={`${fill} ${stroke}`} {...areaStyle(chartId, place)} />
    </svg>
  );
}

/** The weave wins over the class of the tone, which a browser would otherwise prefer to the attribute. */
export function areaStyle(chartId: string, place: number) {
  const { fill } = areaFill(chartId, place);
  return fill === undefined ? {} : { style: { fill } };
}
