import { useTranslation } from 'react-i18next';
import { href, useRouteLoaderData } from 'react-router';
import type { Language } from '#app/domain/web/languages.ts';
import { publicAddress } from '#app/domain/web/public-pages.ts';
import { PRICED_PLANS, PRICING_PAGE } from '#app/features/public/evidence/claims.ts';

/** The page's description for search engines (schema.org): publisher, price, and position in the site. */
export function StructuredData({ title, description }: { title: string; description: string }) {
  const { t } = useTranslation('common');
  const root = useRouteLoaderData<{ canonical: string | null; language: Language }>('root');
  if (root?.canonical == null) return null;
  const { origin, pathname } = new URL(root.canonical);
  const { language } = root;
  const organization = { '@type': 'Organization', '@id': `${origin}/#organization`, name: t('productName'), url: `${origin}/` };
  const application = {
    '@type': 'SoftwareApplication',
    '@id': `${origin}/#application`,
    name: t('productName'),
    description: t('tagline'),
    url: `${origin}/`,
    applicationCategory: 'BusinessApplication',
    operatingSystem: 'Web',
    inLanguage: language,
    publisher: { '@id': organization['@id'] },
    offers: PRICED_PLANS.filter(({ price }) => price !== null).map(({ plan, price }) => ({
      '@type': 'Offer',
      name: `${plan.charAt(0).toUpperCase()}${plan.slice(1)}`,
      price: String(price),
      priceCurrency: 'USD',
      url: publicAddress(origin, PRICING_PAGE, null),
    })),
  };
  const crumb = (position: number, name: string, path: string) => ({
    '@type': 'ListItem',
    position,
    name,
    item: publicAddress(origin, path, null),
  });
  const graph = [
    { ...organization, logo: `${origin}/icon-512.png` },
    { '@type': 'WebPage', name: title, description, url: publicAddress(origin, pathname, null), inLanguage: language },
    ...(pathname === '/' || pathname === PRICING_PAGE ? [application] : []),
    ...(pathname === '/'
      ? []
      : [{ '@type': 'BreadcrumbList', itemListElement: [crumb(1, t('productName'), href('/')), crumb(2, title, pathname)] }]),
  ];
  // A text could otherwise end the script.
  const json = JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replaceAll('<', '\\u003c');
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own texts, with nothing in it that could end the element
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
