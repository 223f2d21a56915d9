import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { LoadedWhatIf } from '#app/features/reasoning/what-if/load-what-if.server.ts';
import type { AskedWhatIf } from '#app/features/reasoning/what-if/what-if-action.server.ts';
import { whatIfSchema } from '#app/features/reasoning/what-if/what-if-schema.ts';

/** One decision asked again with another input, another version of a policy or another capability. */
export function WhatIfPage({ decision, asked }: { decision: LoadedWhatIf; asked: AskedWhatIf | undefined }) {
  const { t } = useTranslation('reasoning');
  const { form, fields } = useAppForm(whatIfSchema, {
    lastResult: asked?.form,
    defaultValue: { input: decision.input, version: '', capability: '' },
  });
  return (
    <PageFrame
      title={t('whatIf.title', { step: decision.step })}
      description={t('whatIf.description')}
      breadcrumbs={[
        { label: t('title'), to: href('/dashboard/ai-orchestration') },
        { label: t('decisions.title'), to: href('/dashboard/ai-reasoning') },
        { label: t('whatIf.decision'), to: href('/dashboard/ai-reasoning/:decision', { decision: decision.id }) },
      ]}
    >
      {asked?.answer === undefined ? null : <Answer decision={decision} answer={asked.answer} />}
      <AppForm form={form}>
        <TextAreaField field={fields.input} label={t('whatIf.input')} rows={8} code />
        <SelectField
          field={fields.version}
          label={t('whatIf.version')}
          hint={t('whatIf.versionHint')}
          placeholder={t('whatIf.inForce')}
          options={decision.versions.map(({ id, name, number }) => ({ value: id, label: t('whatIf.versionOf', { name, number }) }))}
        />
        <SelectField
          field={fields.capability}
          label={t('whatIf.capability')}
          placeholder={t('whatIf.asCalled')}
          options={decision.capabilities.map(({ id, name }) => ({ value: id, label: revealedText(name) }))}
        />
        <div>
          <SubmitButton>{t('whatIf.ask')}</SubmitButton>
        </div>
      </AppForm>
    </PageFrame>
  );
}

function Answer({ decision, answer }: { decision: LoadedWhatIf; answer: NonNullable<AskedWhatIf['answer']> | null }) {
  const { t } = useTranslation('reasoning');
  if (answer === null)
    return (
      <div className="mb-6">
        <Notice kind="attention" title={t('whatIf.unknown')} />
      </div>
    );
  return (
    <Section title={t('whatIf.answer')}>
      <div className="grid gap-2">
        <p className="flex flex-wrap items-center gap-3 text-lg">
          <StatusWord status={answer.verdict} />
          <span className="text-base text-muted">{t('whatIf.was')}</span>
          <span className="text-base">
            <StatusWord status={decision.verdict} />
          </span>
        </p>
        <p className="max-w-measure">
          <ExplanationText explanation={answer.reason} />
        </p>
        <ul>
          {answer.rules
            .filter(({ version }) => version > 0)
            .map((rule) => (
              <li key={`${rule.policyId}${rule.rule}`}>
                <Link className="text-link" to={href('/dashboard/policies/:policy', { policy: rule.policyId })}>
                  {t('decision.rule', { policy: rule.policyName, version: rule.version, rule: rule.rule })}
                </Link>
              </li>
            ))}
        </ul>
      </div>
    </Section>
  );
}
