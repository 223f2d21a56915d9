import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { ProofFields } from '#app/components/form/proof/proof-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import type { ProofWays } from '#app/contracts/identity.ts';
import { ASKED_MEANINGS } from '#app/contracts/statuses.ts';
import { controlVoteSchema } from '#app/features/control/control-change-schema.ts';

/** The vote of another person; `emergency`: on a change that break-glass made, to keep or to undo it. A key pressed in a field decides nothing: the form's first button is one that cannot be pressed. */
export function ControlVoteForm({
  change,
  digest,
  ways,
  emergency,
  lastResult,
}: {
  change: string;
  digest: string;
  ways: ProofWays;
  emergency: boolean;
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation('control');
  const { t: common } = useTranslation('common');
  const { form, fields } = useAppForm(controlVoteSchema, { lastResult, defaultValue: { digest, meaning: 'approved' }, id: 'decide' });
  return (
    <AppForm form={form} className="mt-5 grid max-w-xl gap-6">
      <button type="submit" disabled hidden />
      <input type="hidden" name="digest" value={digest} />
      <TextAreaField field={fields.reason} label={t('vote.reason')} hint={t('vote.reasonHint')} rows={3} />
      <SelectField
        field={fields.meaning}
        label={t('vote.meaning')}
        hint={t('vote.meaningHint')}
        options={ASKED_MEANINGS.map((meaning) => ({ value: meaning, label: common(`meaning.${meaning}`) }))}
      />
      <ProofFields fields={fields} ways={ways} about={`vote ${change}`} label={t('vote.password')} hint={t('vote.passwordHint')} />
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="vote" value="approve" busyLabel={t('vote.busy')}>
          {t(emergency ? 'glass.keep' : 'vote.approve')}
        </SubmitButton>
        <SubmitButton name="vote" value="reject" variant="danger" busyLabel={t('vote.busy')}>
          {t(emergency ? 'glass.undo' : 'vote.reject')}
        </SubmitButton>
      </div>
    </AppForm>
  );
}
