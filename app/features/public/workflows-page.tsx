import { useTranslation } from 'react-i18next';
import { Timeline, type TimelineItem } from '#app/components/timeline.tsx';
import { ProductPage } from '#app/features/public/product-page.tsx';

/** Milliseconds of an example: a run that a person held up. */
const STEPS = [
  { key: 'find', lane: 'mcp', from: 0, to: 420 },
  { key: 'redact', lane: 'mcp', from: 420, to: 900 },
  { key: 'approve', lane: 'people', from: 900, to: 3_900 },
  { key: 'assess', lane: 'a2a', from: 3_900, to: 5_100 },
  { key: 'release', lane: 'mcp', from: 5_100, to: 5_600 },
] as const;

export function WorkflowsPage() {
  const { t } = useTranslation('product');
  const items: TimelineItem[] = STEPS.map(({ key, lane, from, to }) => ({
    key,
    label: t(`steps.${key}`),
    lane,
    startMs: from,
    endMs: to,
    status: 'success',
  }));
  return (
    <ProductPage page="workflows">
      <Timeline items={items} label={t('pages.workflows.caption')} />
    </ProductPage>
  );
}
