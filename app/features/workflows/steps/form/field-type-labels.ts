import type { TFunction } from 'i18next';
import type { FieldType } from '#app/domain/workflows/fields/field-types.ts';

export function fieldTypeLabels(t: TFunction<'workflows'>): Record<FieldType, string> {
  return {
    text: t('fieldTypes.text'),
    longtext: t('fieldTypes.longtext'),
    number: t('fieldTypes.number'),
    boolean: t('fieldTypes.boolean'),
    choice: t('fieldTypes.choice'),
    date: t('fieldTypes.date'),
    time: t('fieldTypes.time'),
    datetime: t('fieldTypes.datetime'),
    email: t('fieldTypes.email'),
    money: t('fieldTypes.money'),
    list: t('fieldTypes.list'),
    group: t('fieldTypes.group'),
    file: t('fieldTypes.file'),
  };
}
