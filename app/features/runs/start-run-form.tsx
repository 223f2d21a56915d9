import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField, SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { type InputField, visibleOptions } from '#app/domain/workflows/workflow.ts';
import { startRunSchema } from '#app/features/runs/start-run-schema.ts';

type Props = {
  fields: readonly InputField[];
  /** The initial values of the form. */
  values: { [field: string]: string | number | boolean };
  mode: 'live' | 'test';
  requestKey: string;
  revision: number;
  lastResult: FormResult | undefined;
};

/** The input of a run, as the workflow asks for it. */
export function StartRunForm({ fields: inputFields, values, mode, requestKey, revision, lastResult }: Props) {
  const { t } = useTranslation('runs');
  const schema = useMemo(() => startRunSchema(inputFields), [inputFields]);
  const { form, fields: all } = useAppForm(schema, { lastResult, defaultValue: values });
  const fields: Partial<Record<string, FormField>> = all;
  return (
    <AppForm form={form}>
      <input type="hidden" name="_mode" value={mode} />
      <input type="hidden" name="_key" value={requestKey} />
      <input type="hidden" name="_revision" value={revision} />
      {mode === 'test' && (
        <Notice kind="info" title={t('start.testTitle')}>
          {t('start.testHint')}
        </Notice>
      )}
      {inputFields.length === 0 && <p className="text-muted">{t('start.noInput')}</p>}
      {inputFields.map((input) => {
        const field = fields[input.name];
        if (field === undefined) return null;
        const common = {
          field,
          label: revealedText(input.title),
          ...(input.required ? {} : { optional: true }),
          ...(input.help === '' ? {} : { hint: revealedText(input.help) }),
        };
        switch (input.type) {
          case 'longtext':
            return <TextAreaField key={input.name} {...common} rows={8} />;
          case 'number':
            return <NumberField key={input.name} {...common} />;
          case 'boolean':
            return (
              <CheckboxField
                key={input.name}
                field={field}
                label={revealedText(input.title)}
                {...(input.help === '' ? {} : { hint: revealedText(input.help) })}
              />
            );
          case 'choice':
            return (
              <SelectField
                key={input.name}
                {...common}
                placeholder={t('start.choose')}
                options={visibleOptions(input).map((option) => ({ value: option, label: option }))}
              />
            );
          case 'date':
            return <TextField key={input.name} {...common} type="date" />;
          default:
            return <TextField key={input.name} {...common} autoComplete="off" />;
        }
      })}
      <SubmitButton busyLabel={t('start.busy')}>{mode === 'live' ? t('start.submit') : t('start.submitTest')}</SubmitButton>
    </AppForm>
  );
}
