import { useTranslation } from 'react-i18next';
import { Section } from '#app/components/page/section.tsx';
import { CodeBlock } from '#app/components/value/copy/copied.tsx';
import { AMOUNT_RULE } from '#app/features/help/amount-rule.ts';

/** A rule on an amount, as its author says it in the form, and the text that the form makes of it. */
export function PolicyExample() {
  const { t } = useTranslation('help');
  return (
    <Section title={t('policyExample.title')}>
      <div className="grid max-w-measure gap-3">
        <p>{t('policyExample.form')}</p>
        <p>{t('policyExample.text')}</p>
        <CodeBlock code={AMOUNT_RULE} name="Cedar" />
        <p className="text-muted">{t('policyExample.try')}</p>
      </div>
    </Section>
  );
}
