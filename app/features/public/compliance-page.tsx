import { useTranslation } from 'react-i18next';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { Logo } from '#app/components/look/logo.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { Digest } from '#app/components/value/digest.tsx';
import type { TemplateFlow } from '#app/features/public/load-template-flows.server.ts';
import { ProductPage } from '#app/features/public/product-page.tsx';
import { TemplateFlows } from '#app/features/public/template-flows.tsx';

const SAMPLE_DIGEST = '9f3c61d0a7e24b5c8d17f0a2b94e6c3d5a8170ef62b9c4d3e1f0a5b8c7d6e9f2';

export function CompliancePage({ flows }: { flows: readonly TemplateFlow[] }) {
  const { t } = useTranslation('product');
  return (
    <ProductPage page="compliance" below={<TemplateFlows flows={flows} />}>
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
            { term: t('facts.digest'), description: <Digest value={SAMPLE_DIGEST} /> },
            { term: t('facts.log'), description: t('facts.logText') },
          ]}
        />
      </div>
    </ProductPage>
  );
}
