import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { useCrumbs } from '#app/features/workflows/crumbs.ts';
import { FlowView } from '#app/features/workflows/flow-view.tsx';
import type { ShownTemplate } from '#app/features/workflows/list/load-templates.server.ts';

export function TemplatesScreen({ templates, mayAuthor }: { templates: readonly ShownTemplate[]; mayAuthor: boolean }) {
  const named = useNamed();
  const { t } = useTranslation('workflows');
  return (
    <PageFrame title={t('templates.title')} wide description={t('templates.description')} breadcrumbs={useCrumbs()}>
      <ul className="grid gap-6">
        {templates.map(({ id, title, description, steps }) => (
          <li key={id}>
            <Card className="grid gap-5">
              <div className="flex flex-wrap items-start justify-between gap-4">
                <div className="min-w-0">
                  <h2 className="text-lg font-semibold">{title}</h2>
                  <p className="mt-1 max-w-measure text-muted">{description}</p>
                </div>
                {mayAuthor && (
                  <ButtonLink
                    to={`${href('/dashboard/workflows/new')}?template=${id}`}
                    variant="primary"
                    aria-label={named(t('templates.use'), title)}
                  >
                    {t('templates.use')}
                  </ButtonLink>
                )}
              </div>
              <FlowView steps={steps} name={title} />
            </Card>
          </li>
        ))}
      </ul>
    </PageFrame>
  );
}
