import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { FileField } from '#app/components/form/files/file-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { type FullPlan, PlanLimit } from '#app/components/page/plan-limit.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { IMPORT_NOTES, type ImportNote } from '#app/domain/workflows/import/import-note.ts';
import type { WorkflowFile } from '#app/domain/workflows/import/workflow-file.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { IssueList } from '#app/features/workflows/editor/issue-list.tsx';
import { FlowView } from '#app/features/workflows/flow-view.tsx';
import { importSchema } from '#app/features/workflows/import/import-schema.ts';

/** A file of n8n as it would become a workflow, and that as a file of ours. */
type Converted = WorkflowFile & { notes: ImportNote[]; text: string };
type Props = {
  full: FullPlan | null;
  answer: { form: FormResult | undefined; issues: WorkflowIssue[]; converted: Converted | null } | undefined;
};

export function ImportScreen({ full, answer }: Props) {
  const { t } = useTranslation('workflows');
  const converted = answer?.converted ?? null;
  return (
    <PageFrame
      title={t('import.title')}
      description={converted === null ? t('import.description') : t('import.readDescription')}
      breadcrumbs={[{ label: t('list.title'), to: href('/dashboard/workflows') }]}
    >
      <PlanLimit full={full} />
      {converted === null ? <ImportForm lastResult={answer?.form} issues={answer?.issues ?? []} /> : <Reading converted={converted} />}
    </PageFrame>
  );
}

function ImportForm({ lastResult, issues }: { lastResult: FormResult | undefined; issues: readonly WorkflowIssue[] }) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(importSchema, { lastResult });
  return (
    <AppForm form={form} encType="multipart/form-data">
      <IssueList issues={issues} />
      <FileField field={fields.file} label={t('import.file')} hint={t('import.fileHint')} accept="application/json,.json" />
      <TextAreaField field={fields.text} label={t('import.text')} rows={10} code optional />
      <TextField field={fields.name} label={t('columns.name')} hint={t('import.nameHint')} autoComplete="off" optional />
      <SubmitButton busyLabel={t('import.busy')}>{t('import.submit')}</SubmitButton>
    </AppForm>
  );
}

/** The workflow that a file of n8n would become, to be looked at before it is made. */
function Reading({ converted: { name, document, notes, text } }: { converted: Converted }) {
  const { t } = useTranslation('workflows');
  const { form, fields } = useAppForm(importSchema, { defaultValue: { name, text } });
  const reasons = IMPORT_NOTES.map((key) => ({ key, names: notes.filter((note) => note.key === key) })).filter(
    ({ names }) => names.length > 0,
  );
  return (
    <>
      <AppForm form={form} encType="multipart/form-data">
        <input type="hidden" name={fields.text.name} value={text} />
        <TextField field={fields.name} label={t('columns.name')} autoComplete="off" />
        <div className="flex flex-wrap gap-3">
          <SubmitButton busyLabel={t('create.busy')}>{t('create.submit')}</SubmitButton>
          <ButtonLink to={href('/dashboard/workflows/import')}>{t('import.other')}</ButtonLink>
        </div>
      </AppForm>
      <Section title={t('import.left')} description={t('import.leftDescription')}>
        <DataTable
          caption={t('import.leftCaption')}
          rows={reasons}
          rowKey={({ key }) => key}
          columns={[
            {
              key: 'reason',
              header: t('import.reason'),
              cell: ({ key }) => <span className="block max-w-measure">{t(`import.notes.${key}`)}</span>,
            },
            { key: 'nodes', header: t('import.nodes'), cell: ({ names }) => <Nodes notes={names} /> },
          ]}
          empty={<EmptyState title={t('import.nothingLeft')} />}
        />
      </Section>
      <Section title={t('import.picture')}>
        <FlowView steps={document.steps} name={name} />
      </Section>
    </>
  );
}

function Nodes({ notes }: { notes: readonly ImportNote[] }) {
  return (
    <ul className="grid gap-1">
      {notes
        .filter(({ name }) => name !== '')
        .map(({ name, kind }) => (
          <li key={name}>
            <bdi className="wrap-anywhere">{name}</bdi> <code className="text-sm text-muted">{kind}</code>
          </li>
        ))}
    </ul>
  );
}
