import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { NumberField, TextField } from '#app/components/form/text-fields.tsx';
import { Section } from '#app/components/page/section.tsx';

/** Names in the error summary of what stands in parts of their own, where the form cannot see them. */
export function useCommonLabels(): Record<string, string> {
  const { t } = useTranslation('workflows');
  return {
    id: t('step.id'),
    timeoutSeconds: t('step.timeout'),
    retries: t('step.retries'),
    backoffSeconds: t('step.backoff'),
    onError: t('step.onError'),
    unknownOutcome: t('step.unknownOutcome'),
  };
}

type CommonFieldset = Record<'id' | 'timeoutSeconds' | 'retries' | 'backoffSeconds' | 'onError', FormField>;

/**
 * Fields that the forms of all kinds share, below their own. `children`: further fields of the handling. A kind that `calls` nothing has no
 * attempts: what the document says of them is sent back as it is.
 */
export function CommonFields({ fields, calls = true, children }: { fields: CommonFieldset; calls?: boolean; children?: ReactNode }) {
  const { t } = useTranslation('workflows');
  return (
    <Section title={t('step.handlingTitle')} description={calls ? t('step.handlingHint') : undefined}>
      <div className="grid gap-6">
        <TextField field={fields.id} label={t('step.id')} hint={t('step.idHint')} code />
        {calls ? (
          <>
            <NumberField field={fields.timeoutSeconds} label={t('step.timeout')} unit={t('step.seconds')} />
            <NumberField field={fields.retries} label={t('step.retries')} hint={t('step.retriesHint')} />
            <NumberField field={fields.backoffSeconds} label={t('step.backoff')} hint={t('step.backoffHint')} unit={t('step.seconds')} />
          </>
        ) : (
          [fields.timeoutSeconds, fields.retries, fields.backoffSeconds].map(({ name, defaultValue }) => (
            <input key={name} type="hidden" name={name} value={defaultValue} />
          ))
        )}
        {children}
        <RadioGroupField
          field={fields.onError}
          label={calls ? t('step.onError') : t('step.onErrorOnce')}
          options={[
            { value: 'fail', label: t('step.onErrorFail') },
            { value: 'continue', label: t('step.onErrorContinue') },
          ]}
        />
      </div>
    </Section>
  );
}
