import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxGroupField } from '#app/components/form/choice-fields.tsx';
import { DateTimeField } from '#app/components/form/dates/date-time-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { WorkspaceZone } from '#app/components/text/workspace-zone.tsx';
import { AssessmentFields, useAssessmentLabels } from '#app/features/incidents/assessment-fields.tsx';
import { recordSchema } from '#app/features/incidents/incident-schema.ts';
import type { LoadedIncidentForm } from '#app/features/incidents/load-incident.server.ts';

type Props = { loaded: LoadedIncidentForm; lastResult: FormResult | undefined };

/** The form that records an incident. Times are in the workspace's zone. */
export function RecordIncidentForm({ loaded, lastResult }: Props) {
  const { t } = useTranslation('incidents');
  return (
    <PageFrame
      title={t('record.title')}
      description={t('record.description')}
      breadcrumbs={[
        { label: t('compliance'), to: href('/dashboard/policies/compliance') },
        { label: t('list.title'), to: href('/dashboard/policies/compliance/incidents') },
      ]}
    >
      <WorkspaceZone timeZone={loaded.timeZone}>
        <Fields loaded={loaded} lastResult={lastResult} />
      </WorkspaceZone>
    </PageFrame>
  );
}

function Fields({ loaded, lastResult }: Props) {
  const { t } = useTranslation('incidents');
  const labels = useAssessmentLabels();
  const { form, fields } = useAppForm(recordSchema, { lastResult, defaultValue: { id: loaded.id, runs: loaded.run }, id: 'incident' });
  const options = (things: readonly { id: string; name: string }[]) => things.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <AppForm form={form} labels={labels} className="grid max-w-3xl gap-6">
      <input type="hidden" name="id" value={fields.id.defaultValue} />
      <TextField field={fields.title} label={t('form.title')} hint={t('form.titleHint')} />
      <TextAreaField field={fields.happened} label={t('form.happened')} hint={t('form.happenedHint')} rows={6} />
      <DateTimeField field={fields.noticed} label={t('form.noticed')} hint={t('form.noticedHint')} required />
      <AssessmentFields fields={fields} laws={loaded.laws} />
      <TextField field={fields.runs} label={t('form.runs')} hint={t('form.runsHint')} code optional />
      {loaded.agents.length === 0 ? null : (
        <CheckboxGroupField field={fields.agents} label={t('form.agents')} options={options(loaded.agents)} />
      )}
      {loaded.connections.length === 0 ? null : (
        <CheckboxGroupField field={fields.connections} label={t('form.connections')} options={options(loaded.connections)} />
      )}
      <div>
        <SubmitButton busyLabel={t('form.busy')}>{t('record.submit')}</SubmitButton>
      </div>
    </AppForm>
  );
}
