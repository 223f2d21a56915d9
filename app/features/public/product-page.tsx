import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ExampleFrame } from '#app/features/public/example/example-frame.tsx';
import { PublicFrame } from '#app/features/public/frame/public-frame.tsx';
import { PublicHeading } from '#app/features/public/frame/public-heading.tsx';

const TOPICS = ['first', 'second', 'third', 'fourth'] as const;

type Props = {
  page: 'workflows' | 'compliance' | 'analytics';
  /** The first picture, with a caption of its own. */
  above?: ReactNode;
  /** Below the example and its caption. */
  below?: ReactNode;
  children: ReactNode;
};

/** One side of the product: drawn with the product's own components, and described exactly. */
export function ProductPage({ page, above, below, children }: Props) {
  const { t } = useTranslation('product');
  return (
    <PublicFrame wide title={t(`pages.${page}.title`)} description={t(`pages.${page}.lead`)}>
      <div className="mx-auto max-w-page px-4 pb-16 sm:px-8">
        <PublicHeading title={t(`pages.${page}.title`)} lead={t(`pages.${page}.lead`)} />
        {above ? <div className="mb-10">{above}</div> : null}
        <ExampleFrame caption={t(`pages.${page}.caption`)}>{children}</ExampleFrame>
        {below}
        <div className="mt-12 grid gap-x-10 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
          {TOPICS.map((topic) => (
            <section key={topic} className="border-t border-edge/60 pt-4">
              <h2 className="font-semibold">{t(`pages.${page}.${topic}.title`)}</h2>
              <p className="mt-1.5 max-w-measure text-sm text-muted">{t(`pages.${page}.${topic}.text`)}</p>
            </section>
          ))}
        </div>
        <div className="mt-10 flex flex-wrap gap-3">
          <ButtonLink to={`${href('/auth')}?mode=sign-up`} variant="primary">
            {t('start')}
          </ButtonLink>
          <ButtonLink to={href('/docs')}>{t('docs')}</ButtonLink>
        </div>
      </div>
    </PublicFrame>
  );
}
