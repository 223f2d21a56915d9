import { useTranslation } from 'react-i18next';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { ExpressionField } from '#app/features/workflows/steps/form/expression-field.tsx';
import type { MappingField } from '#app/features/workflows/steps/form/mapping-fields.ts';

/** One row of a mapping: its name is typed too where no schema gives it. */
export function MappingRow({ name, value, mapping }: { name: FormField; value: FormField; mapping?: MappingField }) {
  const { t } = useTranslation('workflows');
  if (mapping === undefined || mapping.free) {
    return (
      <div className="grid gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
        <TextField field={name} label={t('step.mappingName')} code />
        <ExpressionField field={value} label={t('step.mappingValue')} />
      </div>
    );
  }
  const hint = [mapping.description, t('step.mappingType', { type: mapping.type }), mapping.required ? t('step.mappingRequired') : '']
    .filter((part) => part !== '')
    .join(' · ');
  return (
    <>
      <input type="hidden" name={name.name} value={mapping.name} />
      <ExpressionField
        field={value}
        label={mapping.title}
        hint={hint}
        rows={mapping.type === 'string' ? 2 : 1}
        optional={!mapping.required}
      />
    </>
  );
}
