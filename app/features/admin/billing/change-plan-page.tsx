import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { RadioGroupField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { MEASURES, PLANS } from '#app/domain/people/plans.ts';
import { PLAN_WORDS, usePrice } from '#app/features/admin/billing/billing-page.tsx';
import { changePlanSchema, PROVIDER_ANSWERS } from '#app/features/admin/billing/change-plan-schema.ts';
import type { PlanChange } from '#app/features/admin/billing/load-billing.server.ts';
import { useAdminCrumbs } from '#app/features/admin/use-admin-crumbs.ts';

const WHERE = { agents: href('/dashboard/agents'), workflows: href('/dashboard/workflows') } as const;

/** The effect of a change of plan, and the button for it; with what must go first where more is in use than the plan allows. */
export function ChangePlanPage({ change, lastResult }: { change: PlanChange; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const price = usePrice();
  const crumbs = useAdminCrumbs();
  const { form, fields } = useAppForm(changePlanSchema, { lastResult, defaultValue: { answer: 'agreed' } });
  const { target } = change;
  const plan = t(PLAN_WORDS[target.name]);
  return (
    <PageFrame
      title={t('billing.changeTo', { plan })}
      breadcrumbs={[...crumbs, { label: t('area.billing'), to: href('/dashboard/admin/billing') }]}
    >
      <div className="grid max-w-2xl gap-6">
        <DescriptionList
          items={[
            { term: t('billing.price'), description: price(target.name) },
            ...MEASURES.map((measure) => {
              const limit = PLANS[target.name][measure];
              const used = formats.number(change.usage[measure]);
              return {
                term: t(`measure.${measure}`),
                description:
                  limit === null ? t('billing.usedUnlimited', { used }) : t('billing.usedOfLimit', { used, limit: formats.number(limit) }),
              };
            }),
          ]}
        />
        {target.beyond.length > 0 ? (
          <Notice kind="danger" title={t('billing.refused', { plan })}>
            <ul className="grid gap-1">
              {target.beyond.map(({ measure, used, limit }) => (
                <li key={measure}>{t(`billing.reduce.${measure}`, { count: used - limit })}</li>
              ))}
            </ul>
            <p className="mt-3 flex flex-wrap gap-3">
              {target.beyond.map(({ measure }) => (
                <ButtonLink key={measure} to={WHERE[measure]}>
                  {t(`billing.go.${measure}`)}
                </ButtonLink>
              ))}
            </p>
          </Notice>
        ) : (
          <>
            <Notice kind="info" title={t('billing.testProvider')}>
              {t('billing.testProviderText')}
            </Notice>
            <AppForm form={form}>
              <RadioGroupField
                field={fields.answer}
                label={t('billing.answer')}
                hint={t('billing.answerHint')}
                options={PROVIDER_ANSWERS.map((answer) => ({ value: answer, label: t(`billing.answers.${answer}`) }))}
              />
              <div className="flex flex-wrap gap-3">
                <SubmitButton busyLabel={t('billing.changing')}>{t('billing.changeTo', { plan })}</SubmitButton>
                <ButtonLink to={href('/dashboard/admin/billing')} variant="quiet">
                  {t('cancel')}
                </ButtonLink>
              </div>
            </AppForm>
          </>
        )}
      </div>
    </PageFrame>
  );
}
