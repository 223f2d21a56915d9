import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { askSchema } from '#app/components/form/ask/ask-schema.ts';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';

type Props = { hidden: Record<string, string>; submit: string; lastResult: FormResult | undefined };

/** Asks another person to agree to a change, with the reason for it. Needs the namespace control. */
export function AskSecondPerson({ hidden, submit, lastResult }: Props) {
  const { t } = useTranslation('control');
  const { form, fields } = useAppForm(askSchema, { lastResult, id: 'ask' });
  return (
    <AppForm form={form} className="grid max-w-xl gap-6">
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <TextAreaField field={fields.reason} label={t('ask.reason')} hint={t('ask.reasonHint')} rows={3} />
      <div>
        <SubmitButton busyLabel={t('ask.busy')}>{submit}</SubmitButton>
      </div>
    </AppForm>
  );
}
