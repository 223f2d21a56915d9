import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { runAgentSchema } from '#app/features/agents/agent-schema.ts';
import type { LoadedRunAgent } from '#app/features/agents/run-agent-action.server.ts';

/** Gives an agent a task. */
export function RunAgentPage({ agent, lastResult }: { agent: LoadedRunAgent; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('agents');
  const { form, fields } = useAppForm(runAgentSchema, { lastResult, defaultValue: { task: '', _key: agent.key } });
  return (
    <PageFrame
      title={agent.mode === 'test' ? t('run.testTitle', { name: agent.name }) : t('run.title', { name: agent.name })}
      description={agent.mode === 'test' ? t('run.testDescription') : t('run.description')}
      breadcrumbs={[
        { label: t('list.mineTitle'), to: href('/dashboard/agents') },
        { label: agent.name, to: href('/dashboard/agents/authored/:agent', { agent: agent.id }) },
      ]}
    >
      {agent.paused ? (
        <Notice kind="attention" title={t('page.pausedTitle')}>
          <p>{t('page.pausedText')}</p>
        </Notice>
      ) : (
        <AppForm form={form}>
          <input type="hidden" name="_key" value={agent.key} />
          <TextAreaField field={fields.task} label={t('run.task')} hint={t('run.taskHint')} rows={6} />
          <div>
            <SubmitButton busyLabel={t('run.busy')}>{t('run.submit')}</SubmitButton>
          </div>
        </AppForm>
      )}
    </PageFrame>
  );
}
