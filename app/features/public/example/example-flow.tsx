import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import type { StepStatus } from '#app/contracts/statuses.ts';
import type { FlowStep } from '#app/domain/workflows/flow-layout.ts';
import { ExampleFrame } from '#app/features/public/example/example-frame.tsx';

/** A run that has come to its approval. */
const STATES: ReadonlyMap<string, StepStatus> = new Map([
  ['screen', 'success'],
  ['assess', 'success'],
  ['triage', 'success'],
  ['triage/high/approve', 'waiting'],
]);

/** A workflow as the product draws it while one of its runs waits for a person. */
export function ExampleFlow() {
  const { t } = useTranslation('product');
  return (
    <ExampleFrame caption={t('example.flow.caption')}>
      <FlowPicture steps={paymentSteps(t)} states={STATES} label={t('example.flow.label')} />
    </ExampleFrame>
  );
}

function paymentSteps(t: TFunction<'product'>): FlowStep[] {
  return [
    { id: 'screen', name: t('example.steps.screen'), kind: 'tool' },
    { id: 'assess', name: t('example.steps.assess'), kind: 'agent' },
    {
      id: 'triage',
      name: t('example.steps.triage'),
      kind: 'branch',
      branches: [
        {
          label: 'high',
          title: t('example.steps.high'),
          when: '',
          steps: [{ id: 'approve', name: t('example.steps.approve'), kind: 'approval' }],
        },
        { label: 'low', title: t('example.steps.low'), when: '', steps: [] },
      ],
    },
    { id: 'pay', name: t('example.steps.pay'), kind: 'tool' },
    { id: 'notify', name: t('example.steps.notify'), kind: 'message' },
  ];
}
