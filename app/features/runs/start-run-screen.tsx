import { useTranslation } from 'react-i18next';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/notice.tsx';
import { PageFrame } from '#app/components/page-frame.tsx';
import type { InputField } from '#app/domain/workflow.ts';
import { StartRunForm } from '#app/features/runs/start-run-form.tsx';

type Start = {
  id: string;
  name: string;
  fields: InputField[];
  revision: number;
  paused: boolean;
  halted: boolean;
  mode: 'live' | 'test';
  requestKey: string;
};

export function StartRunScreen({ start, lastResult }: { start: Start; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('runs');
  return (
    <PageFrame
      title={start.mode === 'live' ? t('start.title', { name: start.name }) : t('start.titleTest', { name: start.name })}
      breadcrumbs={[
        { label: t('list.workflows'), to: '/dashboard/workflows' },
        { label: start.name, to: `/dashboard/workflows/${start.id}` },
      ]}
    >
      {start.halted ? (
        <Notice kind="danger" title={t('run.haltedTitle')}>
          {t('run.haltedText')}
        </Notice>
      ) : start.paused && lastResult === undefined ? (
        <Notice kind="attention" title={t('start.pausedTitle')}>
          {t('start.pausedText')}
        </Notice>
      ) : (
        <StartRunForm
          fields={start.fields}
          mode={start.mode}
          requestKey={start.requestKey}
          revision={start.revision}
          lastResult={lastResult}
        />
      )}
    </PageFrame>
  );
}
