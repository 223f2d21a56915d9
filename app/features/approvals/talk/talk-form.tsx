import { useTranslation } from 'react-i18next';
import { href, useLocation } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import type { LoadedApproval } from '#app/features/approvals/load-approval.server.ts';
import { talkSchema } from '#app/features/approvals/talk/talk-schema.ts';

/** The requester answers the oldest open question; everyone else comments, and who decides may ask. Needs the namespace approvals. */
export function TalkForm({ approval, lastResult }: { approval: LoadedApproval; lastResult?: FormResult | undefined }) {
  const { t } = useTranslation('approvals');
  const { search } = useLocation();
  const { toAnswer, mayAsk } = approval.talk;
  const { form, fields } = useAppForm(talkSchema, { lastResult, id: 'write' });
  const answers = toAnswer !== null;
  return (
    <AppForm
      form={form}
      action={`${href('/dashboard/approvals/:approval/talk', { approval: approval.id })}${search}`}
      className="grid gap-3"
    >
      {answers ? <input type="hidden" name="question" value={toAnswer} /> : null}
      <TextAreaField field={fields.text} label={t(answers ? 'talk.answerLabel' : 'talk.label')} hint={t('talk.hint')} rows={2} />
      <div className="flex flex-wrap gap-3">
        {answers ? (
          <SubmitButton name="kind" value="answer" busyLabel={t('talk.busy')}>
            {t('talk.sendAnswer')}
          </SubmitButton>
        ) : (
          <SubmitButton name="kind" value="comment" variant="secondary" busyLabel={t('talk.busy')}>
            {t('talk.comment')}
          </SubmitButton>
        )}
        {mayAsk ? (
          <SubmitButton name="kind" value="question" variant="secondary" busyLabel={t('talk.busy')}>
            {t('talk.ask', { name: approval.requestedBy ?? t('someone') })}
          </SubmitButton>
        ) : null}
      </div>
    </AppForm>
  );
}
