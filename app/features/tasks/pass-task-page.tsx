import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { LoadedPassTask } from '#app/features/tasks/pass-task.server.ts';
import { passTaskSchema } from '#app/features/tasks/pass-task-schema.ts';

/** Asks for the member to pass the form to, and for the reason. */
export function PassTaskPage({ task, lastResult }: { task: LoadedPassTask; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  const back = href('/dashboard/tasks/:task', { task: task.id });
  const { form, fields } = useAppForm(passTaskSchema, { lastResult });
  return (
    <PageFrame
      title={t('task.passTitle')}
      description={
        <>
          <bdi className="block text-as-parent">
            {task.run === null ? t('task.of', { workflow: task.workflow }) : format.runName(task.run)}
          </bdi>
          {t(task.role === null ? 'task.passText' : 'task.passTextRole')}
        </>
      }
      breadcrumbs={[
        { label: t('task.inbox'), to: href('/dashboard/approvals') },
        { label: task.title, to: back },
      ]}
    >
      {task.receivers.length === 0 ? (
        <EmptyState title={t('task.passNobody')} action={<ButtonLink to={back}>{t('task.passKeep')}</ButtonLink>} />
      ) : (
        <AppForm form={form}>
          <SelectField
            field={fields.to}
            label={t('task.passTo')}
            placeholder={t('task.choose')}
            options={task.receivers.map(({ id, name }) => ({ value: id, label: name }))}
          />
          <TextAreaField field={fields.reason} label={t('task.passReason')} hint={t('task.passReasonHint')} rows={3} />
          <div className="flex flex-wrap gap-3">
            <SubmitButton busyLabel={t('task.busy')}>{t('task.passSubmit')}</SubmitButton>
            <ButtonLink variant="secondary" to={back}>
              {t('task.passKeep')}
            </ButtonLink>
          </div>
        </AppForm>
      )}
    </PageFrame>
  );
}
