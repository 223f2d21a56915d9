import { useTranslation } from 'react-i18next';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import type { RulePart } from '#app/domain/audit/policy-rule.ts';
import { RuleCard } from '#app/features/policies/rules/rule-card.tsx';

/** The rules of the saved draft beside its text. Each button first saves the typed text, so that nothing is lost. */
export function RulePanel({ rules, workflows }: { rules: readonly RulePart[] | null; workflows: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('policies');
  const newRule = (
    <SubmitButton variant="secondary" name="intent" value="newRule">
      {t('edit.newRule')}
    </SubmitButton>
  );
  return (
    <section aria-label={t('edit.rules')} className="grid content-start gap-4">
      <div>
        <h2 className="text-lg font-semibold">{t('edit.rules')}</h2>
        <p className="mt-1 text-muted">{t('edit.rulesText')}</p>
      </div>
      {rules === null ? (
        <Notice kind="attention" title={t('edit.unreadable')} />
      ) : (
        <>
          {rules.length === 0 ? <EmptyState title={t('edit.noRules')} action={newRule} /> : null}
          {rules.map(({ form, text }, index) => (
            <RuleCard
              // biome-ignore lint/suspicious/noArrayIndexKey: two rules may be the same text
              key={index}
              form={form}
              text={text}
              workflows={workflows}
              action={
                form === null ? undefined : (
                  <SubmitButton variant="secondary" size="small" name="intent" value={`rule:${form.id}`}>
                    {t('edit.rule')}
                    <span className="sr-only"> {form.id}</span>
                  </SubmitButton>
                )
              }
            />
          ))}
          {rules.length === 0 ? null : newRule}
        </>
      )}
    </section>
  );
}
