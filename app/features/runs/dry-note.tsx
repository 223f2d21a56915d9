import { useTranslation } from 'react-i18next';
import type { Explanation } from '#app/contracts/explanation.ts';

/** How a step of a dry run came to its output. */
const DRY = ['called', 'pinned', 'run', 'nothing'] as const;
/** `asks`: a live run would ask for an approval there. */
export type Dry = { from: (typeof DRY)[number]; asks: boolean };

/** Null for a step of another run. */
export function dryOf(reason: Explanation | null): Dry | null {
  const from = DRY.find((one) => one === reason?.values.dry);
  return from === undefined ? null : { from, asks: reason?.values.dryAsks === true };
}

/** Note of a dry run in place of waiting for people, a time or an event. */
export const dryReasonOf = (reason: Explanation | null): Explanation | null =>
  reason !== null && /^dry[A-Z]/.test(reason.key) ? reason : null;

/** Note of a dry run on how it replaced the call. */
export function DryNote({ dry }: { dry: Dry }) {
  const { t } = useTranslation('runs');
  return dry.asks ? `${t('step.dryAsks')} ${t(`step.dry.${dry.from}`)}` : t(`step.dry.${dry.from}`);
}
