import { useRouteLoaderData } from 'react-router';
import { LANGUAGES, type Language } from '#app/domain/web/languages.ts';
import { publicAddress, publicPage, socialPicture } from '#app/domain/web/public-pages.ts';

const LOCALES: Record<Language, string> = { en: 'en_US', es: 'es_ES', fr: 'fr_FR', de: 'de_DE', ar: 'ar_AR', he: 'he_IL' };

/**
 * The languages of a public page, and its preview on other sites: written by the server for machines without scripts. Load it on the server
 * alone. The canonical address is the root's.
 */
export function SeoHead({ title, description }: { title: string; description: string }) {
  const root = useRouteLoaderData<{ canonical: string | null; language: Language }>('root');
  if (root?.canonical == null) return null;
  const { origin, pathname } = new URL(root.canonical);
  if (publicPage(pathname) === null) return null;
  const picture = `${origin}${socialPicture(pathname)}`;
  return (
    <>
      <link rel="alternate" hrefLang="x-default" href={publicAddress(origin, pathname, null)} />
      {LANGUAGES.map((one) => (
        <link key={one} rel="alternate" hrefLang={one} href={publicAddress(origin, pathname, one)} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Quorate" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={root.canonical} />
      <meta property="og:locale" content={LOCALES[root.language]} />
      {LANGUAGES.filter((one) => one !== root.language).map((one) => (
        <meta key={one} property="og:locale:alternate" content={LOCALES[one]} />
      ))}
      <meta property="og:image" content={picture} />
      <meta property="og:image:type" content="image/png" />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
      <meta name="twitter:title" content={title} />
      <meta name="twitter:description" content={description} />
      <meta name="twitter:image" content={picture} />
    </>
  );
}
