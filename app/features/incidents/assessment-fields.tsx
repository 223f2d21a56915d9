import { useTranslation } from 'react-i18next';
import { CheckboxGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { DateTimeField } from '#app/components/form/dates/date-time-field.tsx';
import type { FormFieldset } from '#app/components/form/field-parts.tsx';
import { HARMS, SEVERITIES } from '#app/domain/incidents/incident.ts';

type Fields = { severity: FormFieldset; harm: FormFieldset; classified: FormFieldset; regimes: FormFieldset };
type Law = { regime: string; name: string; scope: string };

/** Fields of the judgement of an incident: how grave, what harm, when classified, and which laws apply. */
export function AssessmentFields({ fields, laws }: { fields: Fields; laws: readonly Law[] }) {
  const { t } = useTranslation('incidents');
  return (
    <>
      <SelectField
        field={fields.severity}
        label={t('form.severity')}
        placeholder={t('form.choose')}
        options={SEVERITIES.map((value) => ({ value, label: t(`severity.${value}`) }))}
      />
      <CheckboxGroupField
        field={fields.regimes}
        label={t('form.laws')}
        hint={t('form.lawsHint')}
        options={laws.map(({ regime, name, scope }) => ({ value: regime, label: name, hint: <bdi>{scope}</bdi> }))}
      />
      <DateTimeField field={fields.classified} label={t('form.classified')} hint={t('form.classifiedHint')} optional required={false} />
      <SelectField
        field={fields.harm}
        label={t('form.harm')}
        hint={t('form.harmHint')}
        placeholder={t('harm.none')}
        options={HARMS.map((value) => ({ value, label: t(`harm.${value}`) }))}
      />
    </>
  );
}

/** Labels of these fields, for the summary of what a form lacks. */
export function useAssessmentLabels(): Record<string, string> {
  const { t } = useTranslation('incidents');
  return {
    severity: t('form.severity'),
    regimes: t('form.laws'),
    'classified.local': t('form.classified'),
    'noticed.local': t('form.noticed'),
    'sent.local': t('form.sent'),
    harm: t('form.harm'),
  };
}
