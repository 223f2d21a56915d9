import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { NumberField, TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import type { LoadedProof } from '#app/features/audit/proof/load-proof.server.ts';
import { proofSchema } from '#app/features/audit/proof/proof-schema.ts';

/** Sets who watches. The reason is asked for only where another person may have to agree. */
export function ProofForm({ loaded, lastResult }: { loaded: LoadedProof; lastResult: FormResult | undefined }) {
  const { t } = useTranslation(['audit', 'control']);
  const { tiles, quorum, witnesses, authority } = loaded.settings;
  const { form, fields } = useAppForm(proofSchema, {
    lastResult,
    defaultValue: {
      tiles: tiles ? 'on' : '',
      witnesses: witnesses.map(({ key, url }) => `${key} ${url}`).join('\n'),
      quorum: String(quorum),
      authority: authority?.url ?? '',
      policy: authority?.policy ?? '',
      ca: authority?.ca ?? '',
      reason: '',
    },
  });
  return (
    <AppForm form={form}>
      <CheckboxField field={fields.tiles} label={t('proof.form.tiles')} hint={t('proof.form.tilesHint')} />
      <TextAreaField field={fields.witnesses} label={t('proof.form.witnesses')} hint={t('proof.form.witnessesHint')} code optional />
      <NumberField field={fields.quorum} label={t('proof.form.quorum')} hint={t('proof.form.quorumHint')} />
      <TextField field={fields.authority} type="url" label={t('proof.form.authority')} hint={t('proof.form.authorityHint')} optional />
      <TextField field={fields.policy} label={t('proof.form.policy')} hint={t('proof.form.policyHint')} code optional />
      <TextAreaField field={fields.ca} label={t('proof.form.ca')} hint={t('proof.form.caHint')} code optional />
      {loaded.secondPersonAgrees ? (
        <TextAreaField field={fields.reason} label={t('control:ask.reason')} hint={t('proof.form.reasonHint')} optional />
      ) : null}
      <SubmitButton busyLabel={t('proof.form.busy')}>{t('proof.form.save')}</SubmitButton>
    </AppForm>
  );
}
