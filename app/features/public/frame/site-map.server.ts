import type { RouterContextProvider } from 'react-router';
import { servicesContext } from '#app/contracts/request-context.ts';
import { LANGUAGES } from '#app/domain/web/languages.ts';
import { PUBLIC_PAGES, publicAddress } from '#app/domain/web/public-pages.ts';

const HOUR = 'public, max-age=3600';

/** Every public page in every language, each with all the others beside it. */
export function siteMap(context: Readonly<RouterContextProvider>): Response {
  const { origin } = context.get(servicesContext);
  const entries = Object.keys(PUBLIC_PAGES).flatMap((path) => {
    const beside = [null, ...LANGUAGES].map(
      (language) =>
        `    <xhtml:link rel="alternate" hreflang="${language ?? 'x-default'}" href="${publicAddress(origin, path, language)}"/>`,
    );
    return [null, ...LANGUAGES].map((language) =>
      ['  <url>', `    <loc>${publicAddress(origin, path, language)}</loc>`, ...beside, '  </url>'].join('\n'),
    );
  });
  const xml = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
  return new Response(xml, { headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': HOUR } });
}

/**
 * Addresses that crawlers need not fetch. Pages that are not to be found are open to them, and say so themselves (`X-Robots-Tag`): an
 * address that may not be read could not tell.
 */
export function robots(context: Readonly<RouterContextProvider>): Response {
  const { origin } = context.get(servicesContext);
  const lines = [
    'User-agent: *',
    'Allow: /api/placeholder/',
    'Disallow: /api/',
    'Disallow: /mcp/',
    'Disallow: /a2a/',
    'Disallow: /preferences/',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ];
  return new Response(lines.join('\n'), { headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': HOUR } });
}
