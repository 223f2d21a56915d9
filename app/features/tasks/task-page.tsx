import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import type { FormFieldset } from '#app/components/form/field-parts.tsx';
import { shownValues } from '#app/components/form/input-field-shape.ts';
import { inputFields, inputPartLabels } from '#app/components/form/input-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { FieldValue } from '#app/components/value/field-value.tsx';
import type { Json } from '#app/contracts/json.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { answerTaskSchema } from '#app/features/tasks/answer-task-schema.ts';
import type { LoadedTask, TaskRefusal } from '#app/features/tasks/load-task.server.ts';

const REFUSALS = { others: 'task.others', closed: 'task.closed', late: 'task.late' } as const satisfies Record<TaskRefusal, string>;

/** The form that a run asks a person to fill in, with the question and the facts beside it; later, the answer. */
export function TaskPage({ task, lastResult }: { task: LoadedTask; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  const format = useFormats();
  return (
    <PageFrame
      title={task.title}
      description={task.run === null ? t('task.of', { workflow: task.workflow }) : format.runName(task.run)}
      breadcrumbs={[{ label: t('task.inbox'), to: href('/dashboard/approvals') }]}
      actions={
        task.mayPass ? (
          <ButtonLink variant="secondary" to={href('/dashboard/tasks/:task/pass', { task: task.id })}>
            {t('task.pass')}
          </ButtonLink>
        ) : undefined
      }
    >
      <div className="grid gap-8">
        <TaskFacts task={task} />
        <p className="max-w-measure text-lg break-words whitespace-pre-wrap">
          <bdi>{revealedText(task.question)}</bdi>
        </p>
        {task.shown.length > 0 && (
          <DescriptionList
            items={task.shown.map(({ label, value }) => ({
              term: revealedText(label),
              description: <FieldValue field={null} name={label} value={value} />,
            }))}
          />
        )}
        {task.answer !== null && <Answer task={task} answer={task.answer} />}
        {task.answer === null && task.refusal !== null && (
          <Notice kind="info" title={t(REFUSALS[task.refusal])}>
            {task.refusal === 'others' && t('task.othersHint')}
          </Notice>
        )}
        {task.answer === null && task.refusal === null && <AnswerForm task={task} lastResult={lastResult} />}
        {task.run !== null && (
          <p>
            <Link to={href('/dashboard/runs/:run', { run: task.run.id })} className="text-link">
              {t('task.toRun')}
            </Link>
          </p>
        )}
      </div>
    </PageFrame>
  );
}

/** Whose it is, until when, and how it came to them. */
function TaskFacts({ task }: { task: LoadedTask }) {
  const { t } = useTranslation('approvals');
  const former = t('task.formerMember');
  return (
    <>
      <DescriptionList
        items={[
          {
            term: t('task.for'),
            description: task.assigned ? <bdi>{task.assignee ?? former}</bdi> : task.role !== null && t(`task.roles.${task.role}`),
          },
          {
            term: t('task.due'),
            description: (
              <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <RelativeTime at={task.dueAt} />
                {task.overdue && <Badge tone="danger">{t('task.overdue')}</Badge>}
              </span>
            ),
          },
          ...(task.answer === null && task.refusal === null
            ? [{ term: t('task.lateTitle'), description: t(`task.lateText.${task.late}`) }]
            : []),
        ]}
      />
      {task.passes.length > 0 && (
        <Section title={t('task.passes')}>
          <ol className="grid gap-3">
            {task.passes.map(({ by, to, reason, at }) => (
              <li key={at} className="grid gap-1">
                <p className="text-muted">
                  {t('task.passedBy', { by: by ?? former, to: to ?? former })} · <RelativeTime at={at} />
                </p>
                <p dir="auto" className="max-w-measure text-as-parent break-words whitespace-pre-wrap">
                  {revealedText(reason)}
                </p>
              </li>
            ))}
          </ol>
        </Section>
      )}
    </>
  );
}

function AnswerForm({ task, lastResult }: { task: LoadedTask; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  const { t: tInputs } = useTranslation('inputs');
  const schema = useMemo(() => answerTaskSchema(task.fields), [task.fields]);
  const { form, fields: all } = useAppForm(schema, { lastResult, defaultValue: shownValues(task.fields, {}, '') });
  const fields: Partial<Record<string, FormFieldset>> = all;
  return (
    <AppForm form={form} labels={inputPartLabels(task.fields, Object.keys(form.fieldErrors), tInputs)} rows={lastResult ?? null}>
      {inputFields(task.fields, fields, t('task.choose'), tInputs)}
      <SubmitButton busyLabel={t('task.busy')}>{t('task.submit')}</SubmitButton>
    </AppForm>
  );
}

function Answer({ task, answer }: { task: LoadedTask; answer: { [name: string]: Json } }) {
  const { t } = useTranslation('approvals');
  return (
    <Section title={t('task.answer')}>
      <DescriptionList
        items={[
          ...task.fields.map((field) => ({
            term: revealedText(field.title),
            description: <FieldValue field={field} name={field.title} value={answer[field.name] ?? null} />,
          })),
          { term: t('task.by'), description: <bdi>{task.answeredBy ?? t('task.formerMember')}</bdi> },
          ...(task.answeredAt === null ? [] : [{ term: t('task.at'), description: <RelativeTime at={task.answeredAt} /> }]),
        ]}
      />
    </Section>
  );
}
