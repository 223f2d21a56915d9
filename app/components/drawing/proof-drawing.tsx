import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';

/** One step of the way from a leaf to the root. Leaves `from`…`to`, both included; hashes are hex. */
export type ProofStep = { side: 'left' | 'right'; from: number; to: number; neighbour: string; result: string };
export type DrawnProof = { index: number; leaf: string; size: number; root: string; steps: readonly ProofStep[] };

const WIDTH = 376;
const LEVEL = 64;
const BOX = { width: 108, height: 42 };
const MIDDLE = WIDTH / 2;
const ASIDE = 132;

/**
 * The way of a leaf to the root, drawn from real hashes: what is computed from the entry stands in the middle and is lit,
 * what the proof gives stands on the side on which it is hashed. Left and right mean the order of hashing, in every language.
 */
export function ProofDrawing({ proof }: { proof: DrawnProof }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const titleId = useId();
  const height = (proof.steps.length + 1) * LEVEL;
  const levelY = (level: number) => height - level * LEVEL - LEVEL / 2;
  return (
    <div className="scroll-edges">
      <ScrollGroup labelledBy={titleId} className="overflow-x-auto">
        <svg
          viewBox={`0 0 ${WIDTH} ${height}`}
          width={WIDTH}
          height={height}
          role="img"
          aria-labelledby={titleId}
          direction="ltr"
          className="h-auto max-w-full min-w-60"
        >
          <title id={titleId}>{t('proof.tree', { index: formats.number(proof.index), size: formats.number(proof.size) })}</title>
          {proof.steps.map((step, level) => (
            <g key={step.result}>
              <path d={elbow(asideX(step), levelY(level), levelY(level + 1))} className="fill-none stroke-edge" strokeWidth={1.5} />
              <path
                d={`M${MIDDLE} ${levelY(level) - BOX.height / 2}V${levelY(level + 1) + BOX.height / 2}`}
                className="fill-none stroke-accent"
                strokeWidth={4}
              />
              <Box x={asideX(step)} y={levelY(level)} top={rangeText(step)} hash={step.neighbour} lit={false} />
            </g>
          ))}
          <Box x={MIDDLE} y={levelY(0)} top={formats.number(proof.index)} hash={proof.leaf} lit />
          {proof.steps.map((step, level) => (
            <Box
              key={step.result}
              x={MIDDLE}
              y={levelY(level + 1)}
              top={level === proof.steps.length - 1 ? t('event.root') : ''}
              hash={step.result}
              lit
            />
          ))}
        </svg>
      </ScrollGroup>
    </div>
  );

  function rangeText(step: ProofStep) {
    return step.from === step.to ? formats.number(step.from) : `${formats.number(step.from)}\u2013${formats.number(step.to)}`;
  }
}

function asideX(step: ProofStep): number {
  return step.side === 'left' ? MIDDLE - ASIDE : MIDDLE + ASIDE;
}

/** From a neighbour up to where its hash joins the parent. */
function elbow(x: number, y: number, parentY: number): string {
  const half = (y + parentY) / 2;
  return `M${x} ${y - BOX.height / 2}V${half}H${MIDDLE}`;
}

function Box({ x, y, top, hash, lit }: { x: number; y: number; top: string; hash: string; lit: boolean }) {
  return (
    <g>
      <rect
        x={x - BOX.width / 2}
        y={y - BOX.height / 2}
        width={BOX.width}
        height={BOX.height}
        rx={6}
        strokeWidth={lit ? 2 : 1}
        className={lit ? 'fill-accent-soft stroke-accent' : 'fill-surface stroke-edge'}
      />
      {top === '' ? null : (
        <text x={x} y={y - 5} textAnchor="middle" className="fill-muted text-xs">
          {top}
        </text>
      )}
      <text x={x} y={top === '' ? y + 4 : y + 13} textAnchor="middle" className="font-mono text-xs fill-ink">
        {hash.slice(0, 12)}
      </text>
    </g>
  );
}

/** The same in words, for whoever reads rather than looks, with every hash in full. */
export function ProofText({ proof }: { proof: DrawnProof }) {
  const { t } = useTranslation('audit');
  const formats = useFormats();
  const sentence = ({ side, from, to }: ProofStep) => {
    const values = { from: formats.number(from), to: formats.number(to) };
    if (from === to) return side === 'left' ? t('proof.stepLeftOne', values) : t('proof.stepRightOne', values);
    return side === 'left' ? t('proof.stepLeft', values) : t('proof.stepRight', values);
  };
  return (
    <details className="mt-4">
      <summary className="text-link cursor-pointer">{t('proof.text')}</summary>
      <ol className="mt-3 space-y-3 text-sm">
        <li>
          {t('proof.leaf', { index: formats.number(proof.index) })} <Hash value={proof.leaf} />
        </li>
        {proof.steps.map((step) => (
          <li key={step.result}>
            {sentence(step)} <Hash value={step.neighbour} /> {t('proof.result')} <Hash value={step.result} />
          </li>
        ))}
        <li>
          {t('proof.root', { size: formats.number(proof.size) })} <Hash value={proof.root} />
        </li>
      </ol>
    </details>
  );
}

function Hash({ value }: { value: string }) {
  return (
    <code dir="ltr" className="block font-mono wrap-anywhere text-muted">
      {value}
    </code>
  );
}
