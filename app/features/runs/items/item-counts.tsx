import { useTranslation } from 'react-i18next';
import { repetitionsOf } from '#app/components/drawing/step-presentation.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { StepKind } from '#app/contracts/statuses.ts';
import type { LoopItems } from '#app/features/runs/load-run-steps.server.ts';

/** How far a loop is, in one sentence; `kind`: its step's. */
export function ItemCounts({ kind, items: { total, ok, failed, open } }: { kind: StepKind; items: LoopItems }) {
  const { t } = useTranslation('runs');
  const { number } = useFormats();
  const what = repetitionsOf(kind);
  const parts = [
    t(`repeated.${what}.done`, { number: number(ok), total: number(total ?? ok + failed + open) }),
    ...(failed === 0 ? [] : [t(`repeated.${what}.failedCount`, { number: number(failed) })]),
    ...(open === 0 ? [] : [t(`repeated.${what}.openCount`, { number: number(open) })]),
  ];
  return parts.join(' ');
}
