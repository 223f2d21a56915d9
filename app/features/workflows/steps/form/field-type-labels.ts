import type { TFunction } from 'i18next';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';

export function fieldTypeLabels(t: TFunction<'workflows'>): Record<InputField['type'], string> {
  return {
    text: t('fieldTypes.text'),
    longtext: t('fieldTypes.longtext'),
    number: t('fieldTypes.number'),
    boolean: t('fieldTypes.boolean'),
    choice: t('fieldTypes.choice'),
    date: t('fieldTypes.date'),
  };
}
