import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import type { FormFieldset } from '#app/components/form/field-parts.tsx';
import { shownValues } from '#app/components/form/input-field-shape.ts';
import { inputFields, inputPartLabels } from '#app/components/form/input-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { useLocale } from '#app/components/text/locale-context.tsx';
import type { Json } from '#app/contracts/json.ts';
import { takesFiles } from '#app/domain/workflows/fields/check-fields.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import type { StartMode } from '#app/features/runs/start-mode.ts';
import { startRunSchema } from '#app/features/runs/start-run-schema.ts';

type Props = {
  fields: readonly InputField[];
  /** The initial values of the form. */
  values: { [field: string]: Json };
  mode: StartMode;
  requestKey: string;
  revision: number;
  lastResult: FormResult | undefined;
};

const SUBMITS = { live: 'start.submit', test: 'start.submitTest', dry: 'start.submitDry' } as const;

/** The input of a run, as the workflow asks for it. */
export function StartRunForm({ fields: asked, values, mode, requestKey, revision, lastResult }: Props) {
  const { t } = useTranslation('runs');
  const { t: tInputs } = useTranslation('inputs');
  const { timeZone } = useLocale();
  const schema = useMemo(() => startRunSchema(asked), [asked]);
  const { form, fields: all } = useAppForm(schema, { lastResult, defaultValue: shownValues(asked, values, timeZone) });
  const fields: Partial<Record<string, FormFieldset>> = all;
  return (
    <AppForm
      form={form}
      {...(asked.some(takesFiles) ? { encType: 'multipart/form-data' as const } : {})}
      labels={inputPartLabels(asked, Object.keys(form.fieldErrors), tInputs)}
      rows={lastResult ?? null}
    >
      <input type="hidden" name="_mode" value={mode} />
      <input type="hidden" name="_key" value={requestKey} />
      <input type="hidden" name="_revision" value={revision} />
      {mode !== 'live' && (
        <Notice kind="info" title={mode === 'dry' ? t('start.dryTitle') : t('start.testTitle')}>
          {mode === 'dry' ? t('start.dryHint') : t('start.testHint')}
        </Notice>
      )}
      {asked.length === 0 && <p className="text-muted">{t('start.noInput')}</p>}
      {inputFields(asked, fields, t('start.choose'), tInputs)}
      <SubmitButton busyLabel={t('start.busy')}>{t(SUBMITS[mode])}</SubmitButton>
    </AppForm>
  );
}
