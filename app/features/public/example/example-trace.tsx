import { useTranslation } from 'react-i18next';
import { Timeline, type TimelineItem } from '#app/components/data/timeline.tsx';
import { ExampleFrame } from '#app/features/public/example/example-frame.tsx';
import { HOUR_MS } from '#app/features/public/example/example-payment.ts';

/** When each step began and ended, in milliseconds: the wait for a person is the longest part, and is cut short. */
const SPANS = [
  { key: 'screen', lane: 'mcp', from: 0, to: 1_400 },
  { key: 'assess', lane: 'a2a', from: 1_400, to: 4_100 },
  { key: 'approve', lane: 'people', from: 4_100, to: 2 * HOUR_MS, idle: true },
  { key: 'pay', lane: 'mcp', from: 2 * HOUR_MS, to: 2 * HOUR_MS + 1_900 },
  { key: 'notify', lane: 'internal', from: 2 * HOUR_MS + 1_900, to: 2 * HOUR_MS + 2_600 },
] as const satisfies readonly { key: string; lane: TimelineItem['lane']; from: number; to: number; idle?: true }[];

/** A finished run over time, by who did the work. */
export function ExampleTrace() {
  const { t } = useTranslation('product');
  const items = SPANS.map(
    ({ key, lane, from, to, ...rest }): TimelineItem => ({
      key,
      label: t(`example.steps.${key}`),
      lane,
      startMs: from,
      endMs: to,
      status: 'success',
      ...rest,
    }),
  );
  return (
    <ExampleFrame caption={t('example.trace.caption')}>
      <Timeline items={items} label={t('example.trace.label')} />
    </ExampleFrame>
  );
}
