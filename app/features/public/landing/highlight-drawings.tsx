import type { ReactNode } from 'react';
import { dot } from '#app/components/look/logo.tsx';

/** Small exact drawings in one line style. They say again what the card's list says, so readers of the text miss nothing. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 240 96"
      className="h-18 w-45 max-w-full fill-none rtl:-scale-x-100"
      strokeWidth="1.5"
      strokeLinecap="round"
    >
      {children}
    </svg>
  );
}

const LINE = 'stroke-edge';
const LIT = 'stroke-accent';

// Shapes of one look are one path: a phone styles and lays out each element of a drawing.
const box = (x: number, y: number, width: number, height: number, r: number) =>
  `M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}z`;

/** Tools on one side, agents on the other, one line of the run between them. */
export function EngineDrawing() {
  return (
    <Drawing>
      <path d="M120 4V92" className={LIT} strokeWidth="2" />
      <path
        d={`${[16, 48, 80].map((y) => box(20, y - 9, 18, 18, 3)).join('')}M38 16H112M38 48H106${[16, 48].map((y) => `M128 ${y}H200${dot(211, y, 10)}${dot(211, y, 3)}`).join('')}`}
        className={LINE}
      />
      <path d="M38 80H112" className={LINE} strokeDasharray="3 4" />
      <path d={dot(120, 16, 6) + dot(120, 80, 6)} className="fill-surface stroke-accent" />
      <path d={dot(120, 48, 6)} className="fill-accent stroke-accent" />
    </Drawing>
  );
}

/** A Merkle tree of eight leaves, with the path that proves the third. */
export function MerkleDrawing() {
  const x = (level: number, index: number) => 22 + (index + 0.5) * (196 / 2 ** (3 - level));
  const y = (level: number) => 84 - level * 25;
  const nodes = [0, 1, 2, 3].flatMap((level) => Array.from({ length: 2 ** (3 - level) }, (_, index) => ({ level, index })));
  const isLit = ({ level, index }: (typeof nodes)[number]) => index === 2 >> level;
  const edge = ({ level, index }: (typeof nodes)[number]) =>
    level === 3 ? '' : `M${x(level, index)} ${y(level)}L${x(level + 1, index >> 1)} ${y(level + 1)}`;
  const seat = ({ level, index }: (typeof nodes)[number]) => dot(x(level, index), y(level), level === 3 ? 6 : 4.5);
  const [lit, others] = [nodes.filter(isLit), nodes.filter((node) => !isLit(node))];
  return (
    <Drawing>
      <path d={others.map(edge).join('')} className={LINE} strokeWidth={1} />
      <path d={lit.map(edge).join('')} className={LIT} strokeWidth={2.5} />
      <path d={others.map(seat).join('')} className="fill-surface stroke-edge" />
      <path d={lit.map(seat).join('')} className="fill-accent stroke-accent" />
    </Drawing>
  );
}

/** Lines of a text, matched with the articles of a rule. */
export function CopilotDrawing() {
  return (
    <Drawing>
      <path d={`${box(24, 6, 76, 84, 4)}M36 22H84M36 50H88M36 78H80M190 24H206M190 72H206`} className={LINE} />
      <path
        d={`M36 36H76M36 64H70M92 36C130 36 128 24 156 24M92 64C130 64 128 72 156 72${box(158, 9, 58, 30, 4)}${box(158, 57, 58, 30, 4)}`}
        className={LIT}
      />
      <path d="M168 24l5 5 9-10M168 72l5 5 9-10" className={LIT} strokeWidth="2" />
    </Drawing>
  );
}

/** Connectors on a shelf; the ones in use are tied to the workspace. */
export function MarketplaceDrawing() {
  const used = new Set([1, 7, 11]);
  const places = Array.from({ length: 15 }, (_, index) => index);
  const shelf = (wanted: number[]) =>
    wanted.map((index) => box(20 + (index % 5) * 28, 10 + Math.floor(index / 5) * 28, 20, 20, 4)).join('');
  return (
    <Drawing>
      <path d={shelf(places.filter((index) => !used.has(index)))} className={LINE} />
      <path d={shelf([...used])} className="fill-accent-soft stroke-accent" />
      <path d="M68 20H160C178 20 178 48 196 48M124 48H196M68 76H160C178 76 178 48 196 48" className={LIT} />
      <path d={dot(206, 48, 10)} className="fill-surface stroke-accent" strokeWidth="2" />
      <path d={dot(206, 48, 3.5)} className="fill-accent" />
    </Drawing>
  );
}

/** One task, split into three and joined again. */
export function OrchestrationDrawing() {
  return (
    <Drawing>
      <path
        d="M20 48H56M56 48C72 48 68 18 88 18M56 48H88M56 48C72 48 68 78 88 78M150 18C176 18 172 48 190 48M172 48H190M132 78C176 78 172 48 190 48M190 48H220"
        className={LINE}
      />
      <path d={box(88, 9, 62, 18, 9) + box(88, 39, 84, 18, 9) + box(88, 69, 44, 18, 9)} className="fill-accent-soft stroke-accent" />
      <path d={dot(56, 48, 5) + dot(190, 48, 5)} className="fill-surface stroke-edge" />
    </Drawing>
  );
}

/** Every call passes each gate again; what is not allowed ends at the first. */
export function ZeroTrustDrawing() {
  return (
    <Drawing>
      <path d={[72, 120, 168].map((x) => `M${x} 8V24M${x} 40V88`).join('')} className={LINE} strokeWidth="2" />
      <path d="M20 32H212M205 26l8 6-8 6" className={LIT} strokeWidth="2" />
      <path d={[72, 120, 168].map((x) => dot(x, 32, 6)).join('')} className="fill-accent stroke-accent" />
      <path d="M20 66H62" className={LINE} strokeDasharray="3 4" />
      <path d="M57 61l10 10M67 61l-10 10" className="stroke-danger-ink" strokeWidth="2" />
    </Drawing>
  );
}
