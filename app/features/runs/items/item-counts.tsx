import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { LoopItems } from '#app/features/runs/load-run-steps.server.ts';

/** How far a loop is, in one sentence. */
export function ItemCounts({ items: { total, ok, failed, open } }: { items: LoopItems }) {
  const { t } = useTranslation('runs');
  const { number } = useFormats();
  const parts = [
    t('items.done', { number: number(ok), total: number(total ?? ok + failed + open) }),
    ...(failed === 0 ? [] : [t('items.failedCount', { number: number(failed) })]),
    ...(open === 0 ? [] : [t('items.openCount', { number: number(open) })]),
  ];
  return parts.join(' ');
}
