import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import { DateField } from '#app/components/form/dates/date-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { DATA_CLASSES, RISK_CLASSES } from '#app/domain/inventory/agent-record.ts';
import { inventorySchema } from '#app/features/agents/inventory/inventory-schema.ts';
import type { LoadedRecord } from '#app/features/agents/inventory/load-record.server.ts';

type Props = { agent: LoadedRecord; lastResult: FormResult | undefined };

/** The fields of an agent's record. */
export function RecordForm({ agent, lastResult }: Props) {
  const { t } = useTranslation('inventory');
  const record = agent.kept?.record;
  const defaultValue = {
    owner: record?.owner ?? '',
    purpose: record?.purpose ?? '',
    riskClass: record?.riskClass ?? '',
    dataClasses: record?.dataClasses ?? [],
    reviewOn: record?.reviewOn ?? '',
  };
  const { form, fields } = useAppForm(inventorySchema, { lastResult, defaultValue, id: 'inventory' });
  return (
    <AppForm form={form} className="grid max-w-2xl gap-6">
      <SelectField
        field={fields.owner}
        label={t('column.owner')}
        hint={t('form.ownerHint')}
        placeholder={t('owner.unowned')}
        options={agent.members.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <TextAreaField field={fields.purpose} label={t('column.purpose')} hint={t('form.purposeHint')} optional />
      <SelectField
        field={fields.riskClass}
        label={t('form.risk')}
        hint={t('form.riskHint')}
        placeholder={t('risk.none')}
        options={RISK_CLASSES.map((value) => ({ value, label: t(`riskOf.${value}`) }))}
      />
      <TextAreaField field={fields.reason} label={t('form.reason')} hint={t('form.reasonHint')} rows={2} optional />
      <CheckboxGroupField
        field={fields.dataClasses}
        label={t('column.data')}
        options={DATA_CLASSES.map((value) => ({ value, label: t(`data.${value}`) }))}
      />
      <DateField field={fields.reviewOn} label={t('form.reviewOn')} hint={t('form.reviewHint')} optional />
      <div>
        <SubmitButton busyLabel={t('form.busy')}>{t('form.save')}</SubmitButton>
      </div>
    </AppForm>
  );
}
