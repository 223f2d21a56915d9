import { useTranslation } from 'react-i18next';
import { Timeline, type TimelineItem } from '#app/components/data/timeline.tsx';
import { ExamplePart } from '#app/features/public/example/example-part.tsx';
import { CodeSamples } from '#app/features/public/landing/code-samples.tsx';
import type { TemplateFlow } from '#app/features/public/load-template-flows.server.ts';
import { ProductPage } from '#app/features/public/product-page.tsx';
import { TemplateFlows } from '#app/features/public/template-flows.tsx';

/** Milliseconds of an example: a run that a person held up. */
const STEPS = [
  { key: 'find', lane: 'mcp', from: 0, to: 1_500 },
  { key: 'redact', lane: 'mcp', from: 1_500, to: 2_800 },
  { key: 'approve', lane: 'people', from: 2_800, to: 6_000 },
  { key: 'assess', lane: 'a2a', from: 6_000, to: 7_900 },
  { key: 'release', lane: 'mcp', from: 7_900, to: 9_200 },
] as const;

export function WorkflowsPage({ flows }: { flows: readonly TemplateFlow[] }) {
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
    <ProductPage
      page="workflows"
      above={<ExamplePart name="flow" />}
      below={
        <>
          <TemplateFlows flows={flows} />
          <CodeSamples level={2} />
        </>
      }
    >
      <Timeline items={items} label={t('pages.workflows.caption')} />
    </ProductPage>
  );
}
