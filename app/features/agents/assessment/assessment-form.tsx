import { useTranslation } from 'react-i18next';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { IMPACT_QUESTIONS } from '#app/domain/inventory/impact-questions.ts';
import type { LoadedAssessment } from '#app/features/agents/assessment/assessment.server.ts';
import { assessmentSchema } from '#app/features/agents/assessment/assessment-schema.ts';

/** The questions of an assessment, with the answers of its last version. An empty one may wait. */
export function AssessmentForm({ loaded, lastResult }: { loaded: LoadedAssessment; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('inventory');
  const defaultValue = { ...loaded.answers, seen: String(loaded.seen) };
  const { form, fields } = useAppForm(assessmentSchema, { lastResult, defaultValue, id: 'assessment' });
  return (
    <AppForm form={form} className="grid max-w-3xl gap-6">
      <input type="hidden" name="seen" value={loaded.seen} />
      {IMPACT_QUESTIONS.map(({ id, article }) => (
        <TextAreaField key={id} field={fields[id]} label={t(`question.${id}`)} hint={<bdi>{article}</bdi>} optional />
      ))}
      <div>
        <SubmitButton busyLabel={t('form.busy')}>{t('assessment.save', { number: loaded.seen + 1 })}</SubmitButton>
      </div>
    </AppForm>
  );
}
