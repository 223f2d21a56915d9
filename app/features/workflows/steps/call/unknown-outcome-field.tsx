import { useTranslation } from 'react-i18next';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';

/** The reaction to a call of which nobody knows whether it took effect, below what is known of repeating it. */
export function UnknownOutcomeField({ field, repeatable }: { field: FormField; repeatable: boolean }) {
  const { t } = useTranslation('workflows');
  return (
    <>
      <p className="max-w-measure">{repeatable ? t('step.repeatSafe') : t('step.repeatRisk')}</p>
      <RadioGroupField
        field={field}
        label={t('step.unknownOutcome')}
        hint={t('step.unknownOutcomeHint')}
        options={[
          { value: 'fail', label: t('step.unknownFail'), hint: t('step.unknownFailHint') },
          { value: 'repeat', label: t('step.unknownRepeat'), hint: t('step.unknownRepeatHint') },
          { value: 'ask', label: t('step.unknownAsk'), hint: t('step.unknownAskHint') },
        ]}
      />
    </>
  );
}
