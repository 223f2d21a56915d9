import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { DateField } from '#app/components/form/dates/date-field.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { useLocale } from '#app/components/text/locale-context.tsx';
import { deputySchema } from '#app/features/approvals/deputies/deputy-schema.ts';
import type { LoadedDeputies } from '#app/features/approvals/deputies/load-deputies.server.ts';

type Props = { deputies: LoadedDeputies; lastResult: FormResult | undefined };

/** Names a deputy for oneself; an admin chooses whose. */
export function DeputyForm({ deputies: { id, me, users, approvers }, lastResult }: Props) {
  const { t } = useTranslation('approvals');
  const { timeZone } = useLocale();
  const [only] = users;
  const { form, fields } = useAppForm(deputySchema, {
    lastResult,
    defaultValue: { id, user: users.some((person) => person.id === me) ? me : '', zone: timeZone },
    id: 'deputy',
  });
  const chosen = users.length === 1 && only !== undefined ? only.id : null;
  const options = (people: typeof approvers) => people.map((person) => ({ value: person.id, label: person.name }));
  return (
    <AppForm form={form}>
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="zone" value={timeZone} />
      {chosen === null ? (
        <SelectField field={fields.user} label={t('deputies.user')} placeholder={t('task.choose')} options={options(users)} />
      ) : (
        <input type="hidden" name="user" value={chosen} />
      )}
      <SelectField
        field={fields.deputy}
        label={t('deputies.deputy')}
        hint={t('deputies.deputyHint')}
        placeholder={t('task.choose')}
        options={options(approvers.filter((person) => person.id !== chosen))}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <DateField field={fields.from} label={t('deputies.from')} optional />
        <DateField field={fields.until} label={t('deputies.until')} optional />
      </div>
      <p className="text-sm text-muted">{t('deputies.daysHint')}</p>
      <TextField field={fields.reason} label={t('deputies.reason')} hint={t('deputies.reasonHint')} optional />
      <div>
        <SubmitButton busyLabel={t('task.busy')}>{t('deputies.submit')}</SubmitButton>
      </div>
    </AppForm>
  );
}
