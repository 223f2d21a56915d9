import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CONTROL, controlAttributes, FieldErrors, FieldHint, type FormField } from '#app/components/form/field-parts.tsx';
import { ProofFields } from '#app/components/form/proof/proof-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextArea } from '#app/components/form/text-area.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import type { ProofWays } from '#app/contracts/identity.ts';
import { ASKED_MEANINGS, type AskedMeaning, type Vote } from '#app/contracts/statuses.ts';
import { decideApprovalSchema } from '#app/features/approvals/decide-approval-schema.ts';

/**
 * Reason and answers, in reach at the end of the screen wherever the page stands. A key pressed in a field never decides: the first button
 * of the form is one that cannot be pressed, so that Enter presses none. Needs the namespace approvals.
 */
export function DecideApprovalForm({
  approval,
  digest,
  ways,
  meaning,
  outcome,
  seen,
  lastResult,
}: {
  approval: string;
  digest: string;
  /** How they prove that it is them; null: nothing asks for that. */
  ways: ProofWays | null;
  /** What an approval is asked to state; null: who approves chooses. */
  meaning: AskedMeaning | null;
  outcome: boolean;
  /** The member whose duty it was on this page; '' for nobody's. */
  seen: string;
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation('approvals');
  const id = useId();
  const choices = useChoices(outcome);
  const { form, fields } = useAppForm(decideApprovalSchema(outcome), {
    lastResult,
    defaultValue: { digest, meaning: meaning ?? 'approved' },
    id: 'decide',
  });
  return (
    <div className="z-[5] -mx-4 mt-8 border-t border-edge bg-paper px-4 py-3 sm:-mx-6 sm:px-6 lg:-mx-8 lg:px-8 [@media(min-height:36rem)]:sticky [@media(min-height:36rem)]:bottom-0 print:hidden">
      <AppForm form={form} labels={{ reason: t('decide.reason'), password: t('decide.password') }} className="grid gap-3">
        <button type="submit" disabled hidden />
        <input type="hidden" name="digest" value={digest} />
        <input type="hidden" name="seen" value={seen} />
        <div className="grid items-end gap-x-4 gap-y-3 @2xl/detail:grid-cols-[minmax(0,1fr)_auto]">
          <div className={`grid gap-x-4 gap-y-3 ${ways ? '@lg/detail:grid-cols-2' : ''}`}>
            <Reason field={fields.reason} hint={outcome ? t('outcome.reasonHint') : t('decide.reasonHint')} />
            {ways ? (
              <ProofFields
                fields={fields}
                ways={ways}
                about={`vote ${approval}`}
                label={t('decide.password')}
                hint={t(meaning === null ? 'decide.passwordHint' : 'decide.passwordHintAsked')}
              />
            ) : null}
          </div>
          <div className="grid gap-2">
            {outcome ? null : <Meaning field={fields.meaning} asked={meaning} />}
            <fieldset className="flex flex-wrap gap-3" aria-describedby={id}>
              <legend className="sr-only">{outcome ? t('outcome.vote') : t('decide.vote')}</legend>
              {choices.map(({ vote, label }, place) => (
                <SubmitButton
                  key={vote}
                  name="vote"
                  value={vote}
                  variant={vote === 'reject' ? 'danger' : place === 0 ? 'primary' : 'secondary'}
                  busyLabel={t('decide.busy')}
                >
                  {label}
                </SubmitButton>
              ))}
            </fieldset>
          </div>
        </div>
        <p id={id} className={outcome ? 'text-sm text-muted' : 'sr-only'}>
          {choices.map(({ label, hint }) => t('decide.means', { label, hint })).join(' ')}
        </p>
      </AppForm>
    </div>
  );
}

/** What an approval states: one of three, or the one that is asked for. */
function Meaning({ field, asked }: { field: FormField; asked: AskedMeaning | null }) {
  const { t } = useTranslation('approvals');
  const { t: common } = useTranslation('common');
  if (asked !== null)
    return (
      <p className="flex flex-wrap items-baseline gap-x-2 @2xl/detail:block">
        <input type="hidden" name={field.name} value={asked} />
        <span className="text-sm text-muted">{t('decide.meaning')}</span> {common(`meaning.${asked}`)}
      </p>
    );
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-2 gap-y-1 @2xl/detail:grid-cols-1">
      <label htmlFor={field.id} className="text-sm text-muted">
        {t('decide.meaning')}
      </label>
      <select {...controlAttributes(field, true)} defaultValue={field.defaultValue} className={`${CONTROL} min-h-9 py-1`}>
        {ASKED_MEANINGS.map((meaning) => (
          <option key={meaning} value={meaning}>
            {common(`meaning.${meaning}`)}
          </option>
        ))}
      </select>
    </div>
  );
}

/** As low as one line, and as high as what is written in it. */
function Reason({ field, hint }: { field: FormField; hint: string }) {
  const { t } = useTranslation('approvals');
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <label htmlFor={field.id} className="font-semibold">
          {t('decide.reason')}
        </label>
        <FieldHint field={field}>{hint}</FieldHint>
      </div>
      <FieldErrors field={field} />
      <TextArea
        {...controlAttributes(field, true)}
        rows={1}
        defaultValue={field.defaultValue}
        dir="auto"
        className={`${CONTROL} field-sizing-content max-h-40 min-h-11`}
      />
    </div>
  );
}

function useChoices(outcome: boolean): { vote: Vote; label: string; hint: string }[] {
  const { t } = useTranslation('approvals');
  const { t: common } = useTranslation('common');
  return outcome
    ? [
        { vote: 'done', label: common('status.done'), hint: t('outcome.doneHint') },
        { vote: 'again', label: common('status.again'), hint: t('outcome.againHint') },
        { vote: 'reject', label: t('outcome.fail'), hint: t('outcome.failHint') },
      ]
    : [
        { vote: 'approve', label: t('decide.approve'), hint: t('decide.approveHint') },
        { vote: 'reject', label: t('decide.reject'), hint: t('decide.rejectHint') },
      ];
}
