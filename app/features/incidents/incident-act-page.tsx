import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { DateTimeField } from '#app/components/form/dates/date-time-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { WorkspaceZone } from '#app/components/text/workspace-zone.tsx';
import { localTimeOf } from '#app/domain/workflows/fields/local-time.ts';
import { AssessmentFields, useAssessmentLabels } from '#app/features/incidents/assessment-fields.tsx';
import { assessSchema, closeSchema, type IncidentAct, noteSchema, reportSchema } from '#app/features/incidents/incident-schema.ts';
import { useIncidentWords } from '#app/features/incidents/incident-words.tsx';
import type { LoadedIncident } from '#app/features/incidents/load-incident.server.ts';

type Props = { act: IncidentAct; incident: LoadedIncident; report: string | null; lastResult: FormResult | undefined };
type FormProps = Omit<Props, 'act'>;

const FORMS: Record<IncidentAct, (props: FormProps) => ReactNode> = {
  report: ReportForm,
  assess: AssessForm,
  note: NoteForm,
  close: CloseForm,
};

/** One act on an incident, with its form. */
export function IncidentActPage({ act, incident, report, lastResult }: Props) {
  const { t } = useTranslation('incidents');
  const ActForm = FORMS[act];
  return (
    <PageFrame
      title={t(`act.${act}.title`)}
      description={t(`act.${act}.text`)}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/policies/compliance/incidents') },
        { label: incident.title, to: href('/dashboard/policies/compliance/incidents/:incident', { incident: incident.id }) },
      ]}
    >
      <WorkspaceZone timeZone={incident.timeZone}>
        <ActForm incident={incident} report={report} lastResult={lastResult} />
      </WorkspaceZone>
    </PageFrame>
  );
}

function ReportForm({ incident, report, lastResult }: FormProps) {
  const { t } = useTranslation('incidents');
  const words = useIncidentWords();
  const labels = useAssessmentLabels();
  const { form, fields } = useAppForm(reportSchema, { lastResult, defaultValue: { report: report ?? '' }, id: 'report' });
  if (incident.clocks.length === 0) return <Notice kind="info" title={t('act.report.none')} />;
  return (
    <AppForm form={form} labels={labels} className="grid max-w-2xl gap-6">
      <SelectField
        field={fields.report}
        label={t('form.report')}
        placeholder={t('form.choose')}
        options={incident.clocks.map(({ regime, step, sent }) => {
          const name = t('reportOf', { law: words.regime(regime), report: words.report(step) });
          return { value: `${regime}.${step}`, label: sent === null ? name : t('form.correctionOf', { report: name }) };
        })}
      />
      <DateTimeField field={fields.sent} label={t('form.sent')} required />
      <TextField field={fields.reference} label={t('form.reference')} hint={t('form.referenceHint')} optional />
      <TextAreaField field={fields.note} label={t('form.note')} optional />
      <Submit act="report" />
    </AppForm>
  );
}

function AssessForm({ incident, lastResult }: FormProps) {
  const { t } = useTranslation('incidents');
  const { timeZone } = useLocale();
  const labels = useAssessmentLabels();
  const { severity, harm, classifiedAt, regimes } = incident;
  const classified = classifiedAt === null ? undefined : (localTimeOf(classifiedAt, timeZone) ?? undefined);
  const defaultValue = { severity, harm: harm ?? '', classified, regimes };
  const { form, fields } = useAppForm(assessSchema, { lastResult, defaultValue, id: 'assess' });
  return (
    <AppForm form={form} labels={labels} className="grid max-w-2xl gap-6">
      <AssessmentFields fields={fields} laws={incident.allLaws} />
      <TextAreaField field={fields.note} label={t('form.reason')} hint={t('form.reasonHint')} />
      <Submit act="assess" />
    </AppForm>
  );
}

function NoteForm({ lastResult }: FormProps) {
  const { t } = useTranslation('incidents');
  const { form, fields } = useAppForm(noteSchema, { lastResult, id: 'note' });
  return (
    <AppForm form={form} className="grid max-w-2xl gap-6">
      <TextAreaField field={fields.note} label={t('form.note')} rows={6} />
      <Submit act="note" />
    </AppForm>
  );
}

function CloseForm({ incident, lastResult }: FormProps) {
  const { t } = useTranslation('incidents');
  const { form, fields } = useAppForm(closeSchema, { lastResult, id: 'close' });
  const open = incident.clocks.some(({ sent }) => sent === null);
  return (
    <div className="grid max-w-2xl gap-6">
      {open ? (
        <Notice kind="attention" title={t('act.close.openTitle')}>
          {t('act.close.open')}
        </Notice>
      ) : null}
      <AppForm form={form} className="grid gap-6">
        <TextAreaField field={fields.rootCause} label={t('form.rootCause')} hint={t('form.rootCauseHint')} rows={6} />
        <Submit act="close" />
      </AppForm>
    </div>
  );
}

function Submit({ act }: { act: IncidentAct }) {
  const { t } = useTranslation('incidents');
  return (
    <div>
      <SubmitButton busyLabel={t('form.busy')}>{t(`act.${act}.submit`)}</SubmitButton>
    </div>
  );
}
