import type { ReactNode } from 'react';

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

/** Tools on one side, agents on the other, one line of the run between them. */
export function EngineDrawing() {
  return (
    <Drawing>
      <path d="M120 4V92" className={LIT} strokeWidth="2" />
      {[16, 48, 80].map((y, index) => (
        <g key={y} className={LINE}>
          <rect x="20" y={y - 9} width="18" height="18" rx="3" />
          <path d={`M38 ${y}H${index === 1 ? 106 : 112}`} strokeDasharray={index === 2 ? '3 4' : undefined} />
          <circle cx="120" cy={y} r="6" className={index === 1 ? 'fill-accent stroke-accent' : 'fill-surface stroke-accent'} />
        </g>
      ))}
      {[16, 48].map((y) => (
        <g key={y} className={LINE}>
          <path d={`M128 ${y}H200`} />
          <circle cx="211" cy={y} r="10" />
          <circle cx="211" cy={y} r="3" />
        </g>
      ))}
    </Drawing>
  );
}

/** A Merkle tree of eight leaves, with the path that proves the third. */
export function MerkleDrawing() {
  const x = (level: number, index: number) => 22 + (index + 0.5) * (196 / 2 ** (3 - level));
  const y = (level: number) => 84 - level * 25;
  const lit = (level: number, index: number) => index === 2 >> level;
  const nodes = [0, 1, 2, 3].flatMap((level) => Array.from({ length: 2 ** (3 - level) }, (_, index) => ({ level, index })));
  return (
    <Drawing>
      {nodes
        .filter(({ level }) => level < 3)
        .map(({ level, index }) => (
          <path
            key={`${level} ${index}`}
            d={`M${x(level, index)} ${y(level)}L${x(level + 1, index >> 1)} ${y(level + 1)}`}
            className={lit(level, index) ? LIT : LINE}
            strokeWidth={lit(level, index) ? 2.5 : 1}
          />
        ))}
      {nodes.map(({ level, index }) => (
        <circle
          key={`${level} ${index}`}
          cx={x(level, index)}
          cy={y(level)}
          r={level === 3 ? 6 : 4.5}
          className={lit(level, index) ? 'fill-accent stroke-accent' : 'fill-surface stroke-edge'}
        />
      ))}
    </Drawing>
  );
}

/** Lines of a text, matched with the articles of a rule. */
export function CopilotDrawing() {
  return (
    <Drawing>
      <rect x="24" y="6" width="76" height="84" rx="4" className={LINE} />
      {[22, 36, 50, 64, 78].map((y, index) => (
        <path key={y} d={`M36 ${y}H${[84, 76, 88, 70, 80][index]}`} className={index % 2 === 1 ? LIT : LINE} />
      ))}
      <path d="M92 36C130 36 128 24 156 24M92 64C130 64 128 72 156 72" className={LIT} />
      {[24, 72].map((y) => (
        <g key={y}>
          <rect x="158" y={y - 15} width="58" height="30" rx="4" className={LIT} />
          <path d={`M168 ${y}l5 5 9-10`} className={LIT} strokeWidth="2" />
          <path d={`M190 ${y}H206`} className={LINE} />
        </g>
      ))}
    </Drawing>
  );
}

/** Connectors on a shelf; the ones in use are tied to the workspace. */
export function MarketplaceDrawing() {
  const used = new Set([1, 7, 11]);
  return (
    <Drawing>
      {Array.from({ length: 15 }, (_, index) => {
        const [left, top] = [20 + (index % 5) * 28, 10 + Math.floor(index / 5) * 28];
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a place on the shelf is its number
            key={index}
            x={left}
            y={top}
            width="20"
            height="20"
            rx="4"
            className={used.has(index) ? 'fill-accent-soft stroke-accent' : LINE}
          />
        );
      })}
      <path d="M68 20H160C178 20 178 48 196 48M124 48H196M68 76H160C178 76 178 48 196 48" className={LIT} />
      <circle cx="206" cy="48" r="10" className="fill-surface stroke-accent" strokeWidth="2" />
      <circle cx="206" cy="48" r="3.5" className="fill-accent" />
    </Drawing>
  );
}

/** One task, split into three and joined again. */
export function OrchestrationDrawing() {
  return (
    <Drawing>
      <path d="M20 48H56M56 48C72 48 68 18 88 18M56 48H88M56 48C72 48 68 78 88 78" className={LINE} />
      <path d="M150 18C176 18 172 48 190 48M172 48H190M132 78C176 78 172 48 190 48M190 48H220" className={LINE} />
      <rect x="88" y="9" width="62" height="18" rx="9" className="fill-accent-soft stroke-accent" />
      <rect x="88" y="39" width="84" height="18" rx="9" className="fill-accent-soft stroke-accent" />
      <rect x="88" y="69" width="44" height="18" rx="9" className="fill-accent-soft stroke-accent" />
      <circle cx="56" cy="48" r="5" className="fill-surface stroke-edge" />
      <circle cx="190" cy="48" r="5" className="fill-surface stroke-edge" />
    </Drawing>
  );
}

/** Every call passes each gate again; what is not allowed ends at the first. */
export function ZeroTrustDrawing() {
  return (
    <Drawing>
      {[72, 120, 168].map((x) => (
        <path key={x} d={`M${x} 8V24M${x} 40V88`} className={LINE} strokeWidth="2" />
      ))}
      <path d="M20 32H212" className={LIT} strokeWidth="2" />
      <path d="M205 26l8 6-8 6" className={LIT} strokeWidth="2" />
      {[72, 120, 168].map((x) => (
        <circle key={x} cx={x} cy="32" r="6" className="fill-accent stroke-accent" />
      ))}
      <path d="M20 66H62" className={LINE} strokeDasharray="3 4" />
      <path d="M57 61l10 10M67 61l-10 10" className="stroke-danger-ink" strokeWidth="2" />
    </Drawing>
  );
}
