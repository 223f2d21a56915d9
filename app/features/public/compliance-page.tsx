import { useTranslation } from 'react-i18next';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { Logo } from '#app/components/look/logo.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import { ExamplePart } from '#app/features/public/example/example-part.tsx';
import { PAYMENT } from '#app/features/public/example/example-payment.ts';
import { CodeSample } from '#app/features/public/frame/code-sample.tsx';
import type { TemplateFlow } from '#app/features/public/load-template-flows.server.ts';
import { ProductPage } from '#app/features/public/product-page.tsx';
import { TemplateFlows } from '#app/features/public/template-flows.tsx';

export function CompliancePage({ flows, policy }: { flows: readonly TemplateFlow[]; policy: string }) {
  const { t } = useTranslation('product');
  return (
    <ProductPage
      page="compliance"
      above={
        <div className="grid grid-cols-1 gap-x-12 gap-y-10 lg:grid-cols-2">
          <ExamplePart name="approval" />
          <ExamplePart name="proof" />
          <figure className="min-w-0 lg:col-span-2">
            <figcaption className="mb-3 text-sm text-muted">{t('example.policy.caption')}</figcaption>
            <CodeSample label={t('example.policy.label')} code={policy} wraps />
          </figure>
        </div>
      }
      below={<TemplateFlows flows={flows} />}
    >
      <div className="rounded-lg border border-line bg-surface p-4 sm:p-6">
        <DescriptionList
          items={[
            { term: t('facts.action'), description: t('steps.release') },
            { term: t('facts.rule'), description: t('facts.ruleText') },
            { term: t('facts.verdict'), description: <StatusWord status="require_approval" /> },
            {
              term: t('facts.votes'),
              description: (
                <span className="inline-flex items-center gap-2">
                  <Logo className="size-6" filled={3} of={5} />
                  <StatusWord status="approved" />
                </span>
              ),
            },
            { term: t('facts.digest'), description: <Digest value={PAYMENT.digest} /> },
            { term: t('facts.log'), description: t('facts.logText') },
          ]}
        />
      </div>
    </ProductPage>
  );
}
