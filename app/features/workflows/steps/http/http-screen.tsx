import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Section } from '#app/components/page/section.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { HTTP_LISTS } from '#app/domain/workflows/steps/http-request.ts';
import type { HttpStep } from '#app/domain/workflows/steps/http-step.ts';
import { UnknownOutcomeField } from '#app/features/workflows/steps/call/unknown-outcome-field.tsx';
import { CommonFields, useCommonLabels } from '#app/features/workflows/steps/form/common-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import { MappingRow } from '#app/features/workflows/steps/form/mapping-row.tsx';
import { SPARE_ROWS } from '#app/features/workflows/steps/form/step-options.ts';
import { commonOf, rowsOf } from '#app/features/workflows/steps/form/step-values.ts';
import { httpFormSchema, listOf, readHttpStep } from '#app/features/workflows/steps/http/http-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function HttpStepForm({ step, revision, catalogue, lastResult }: StepFormProps<HttpStep>) {
  const { t } = useTranslation('workflows');
  const offered = catalogue.filter(({ protocol }) => protocol === 'http');
  const { input } = step;
  const { form, fields } = useAppForm(httpFormSchema, {
    lastResult,
    defaultValue: {
      revision,
      ...commonOf(step),
      target: step.capability === null ? '' : `${step.connection}/${step.capability}`,
      path: input.path ?? '',
      query: rowsOf(listOf(input, 'query'), SPARE_ROWS),
      headers: rowsOf(listOf(input, 'headers'), SPARE_ROWS),
      body: input.body ?? '',
      expect: input.expect ?? '',
      unknownOutcome: step.unknownOutcome ?? 'fail',
    },
  });
  const repeatable =
    offered.find(({ connection, capability }) => connection === step.connection && capability === step.capability)?.repeatable ?? false;
  return (
    <AppForm form={form} labels={useCommonLabels()}>
      <RevisionInput revision={revision} of={step} />
      <TextField field={fields.name} label={t('step.name')} />
      {offered.length === 0 && (
        <p className="max-w-measure">
          {t('step.httpNone')}{' '}
          <Link to={href('/dashboard/plugins/integrations/new')} className="text-link">
            {t('step.httpConnect')}
          </Link>
        </p>
      )}
      {step.capability === null && step.task !== '' && (
        <p className="max-w-measure wrap-anywhere">
          {t('step.httpImported')} <code>{step.task}</code>
        </p>
      )}
      <SelectField
        field={fields.target}
        label={t('step.httpTarget')}
        hint={t('step.httpTargetHint')}
        placeholder={t('step.httpChoose')}
        options={offered.map((item) => ({
          value: `${item.connection}/${item.capability}`,
          label: revealedText(`${item.title} · ${item.connectionName}${item.approved ? '' : ` (${t('step.notApproved')})`}`),
        }))}
      />
      <ExpressionField
        field={fields.path}
        label={t('step.httpPath')}
        hint={t('step.httpPathHint', { path: '/orders/7', expression: '="/orders/" & input.order' })}
      />
      {HTTP_LISTS.map((list) => (
        <Section key={list} title={t(`step.httpLists.${list}`)} description={t(`step.httpListHints.${list}`)}>
          <div className="grid gap-6">
            {fields[list].getFieldList().map((row) => {
              const { name, value } = row.getFieldset();
              return <MappingRow key={row.key} name={name} value={value} />;
            })}
          </div>
        </Section>
      ))}
      <ExpressionField
        field={fields.body}
        label={t('step.httpBody')}
        hint={t('step.httpBodyHint', { expression: '={"amount": input.amount}' })}
        rows={3}
        optional
      />
      <ExpressionField
        field={fields.expect}
        label={t('step.httpExpect')}
        hint={t('step.httpExpectHint', { statuses: '200-299, 404' })}
        optional
      />
      <CommonFields fields={fields}>
        <UnknownOutcomeField field={fields.unknownOutcome} repeatable={repeatable} />
      </CommonFields>
      <SubmitButton busyLabel={t('step.saving')}>{t('step.save')}</SubmitButton>
    </AppForm>
  );
}

export const httpScreen = stepScreen({ schema: httpFormSchema, Form: HttpStepForm, read: readHttpStep, followsTarget: false });
