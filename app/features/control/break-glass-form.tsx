import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { ProofFields } from '#app/components/form/proof/proof-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import type { ProofWays } from '#app/contracts/identity.ts';
import { BREAK_GLASS_HOURS } from '#app/domain/control/break-glass.ts';
import { breakGlassSchema } from '#app/features/control/control-change-schema.ts';

/** One person puts the change into effect alone. A key pressed in a field does not: the form's first button is one that cannot be pressed. */
export function BreakGlassForm({
  change,
  digest,
  ways,
  lastResult,
}: {
  change: string;
  digest: string;
  ways: ProofWays;
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation('control');
  const { form, fields } = useAppForm(breakGlassSchema, { lastResult, defaultValue: { digest, hours: '1' }, id: 'glass' });
  return (
    <AppForm form={form} className="mt-5 grid max-w-xl gap-6">
      <button type="submit" disabled hidden />
      <input type="hidden" name="command" value="breakGlass" />
      <input type="hidden" name="digest" value={digest} />
      <TextAreaField field={fields.reason} label={t('glass.reason')} hint={t('glass.reasonHint')} rows={3} />
      <SelectField
        field={fields.hours}
        label={t('glass.hours')}
        options={BREAK_GLASS_HOURS.map((count) => ({ value: String(count), label: t('glass.hoursOption', { count }) }))}
      />
      <ProofFields fields={fields} ways={ways} about={`break_glass ${change}`} label={t('vote.password')} hint={t('vote.passwordHint')} />
      <div>
        <SubmitButton variant="danger" busyLabel={t('vote.busy')}>
          {t('glass.submit')}
        </SubmitButton>
      </div>
    </AppForm>
  );
}
